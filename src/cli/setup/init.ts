/**
 * `paybatch init`: sets up an account. The command asks for the account, finds its routes, writes configuration and secret, and
 * checks all of it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { RemitterField } from '../../domain/settings.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { checkedAddress } from '../../service/client/address.ts';
import { answered, cliCommand } from '../command.ts';
import { emptyProfile } from '../config/config-schema.ts';
import { SANDBOX_PROFILE } from '../config/load-config.ts';
import { emitChecks } from '../doctor/doctor.ts';
import { type None, type OptionsOf, severalTexts } from '../flags/options.ts';
import { askToChoose } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import {
  accountQuestions,
  canAsk,
  missingFlags,
  readTyped,
  requireStdinToRead,
  stopped,
  underFlag,
} from './account-questions.ts';
import { askRemitter, remitterQuestions } from './ask-remitter.ts';
import { chooseRoutes, type KindRoute } from './choose-routes.ts';
import { type ProfilePlace, placeFor, requireSame, textWith } from './profile-file.ts';
import { reachAccount } from './reach-account.ts';
import {
  chooseKeeper,
  isKept,
  type KeeperRequest,
  keepProfile,
  ownSecretFile,
  type SecretKeeper,
} from './secret-keeper.ts';

const declareInit = (command: Command) =>
  command
    .option('--organisation <name>', 'who pays, as people read it')
    .option('--country <code>', 'two letters, for example KE')
    .option('--currency <code>', 'three letters; default: that of the country')
    .option('--base-url <address>', 'address of the service')
    .option('--token-url <address>', 'address that issues tokens; default: /connect/token of the service')
    .option('--client-id <id>', 'client id of the account')
    .option('--scope <scope>', 'default: service_api')
    .option('--secret-stdin', 'read the client secret from stdin; on a terminal it is asked for without echo', false)
    .option('--secret-file <file>', 'where the secret is kept; default: with your own configuration')
    .option('--keychain', 'keep the secret in the keychain of this system, and in no file', false)
    .option(
      '--route <kind=route>',
      'the route of a way of paying, where several fit; none: it is not used',
      severalTexts,
    )
    .option('--routes-path <path>', 'where the service lists its routes, if that is not the usual place')
    .option('--callback-url <address>', 'where the service reports on airtime and bills, which need it')
    .option('--remitter-name <name>', 'name of who pays, for banks')
    .option('--remitter-phone <phone>', 'phone of who pays, for banks, tills and bills')
    .option('--source-of-funds <words>', 'where the money comes from, for banks')
    .option('--principal-activity <words>', 'what the organisation does, for banks')
    .option('--yes', 'replace what is there without being asked', false);

type InitOptions = OptionsOf<ReturnType<typeof declareInit>> & None;

/** Returns the options that describe the remitter. */
const remitterIn = (options: InitOptions): Partial<Record<RemitterField, string | undefined>> => ({
  name: options.remitterName,
  phoneNumber: options.remitterPhone,
  sourceOfFunds: options.sourceOfFunds,
  principalActivity: options.principalActivity,
});

/**
 * Returns the commands to type next. `file`: the option that names the configuration, if it has to be named; `account`: the options
 * that choose the profile.
 */
const nextSteps = (kind: string, { file, account }: { readonly file: string; readonly account: string }) => [
  `  1  paybatch template --type ${kind} -o first.xlsx`,
  '     an empty sheet: fill in one small payment, to yourself',
  `  2  paybatch run first.xlsx${file} --profile ${SANDBOX_PROFILE}`,
  '     rehearse it: no real money moves',
  `  3  paybatch run first.xlsx${account}`,
  '     pay it: you are asked for a name, and type the total',
];

/** The name of a profile that was not given one. */
const USUAL_NAME = 'live';

/** Settings of an account that the environment can set instead of a file. */
const ofAccount = ['baseUrl', 'tokenUrl', 'clientId', 'clientSecret', 'scope'] as const;

export const init = cliCommand({
  example: 'paybatch init',
  moreExamples: ['paybatch init --profile branch', 'paybatch init --keychain'],
  declare: declareInit,
  async run(shell, _, options): Promise<RunEnd> {
    const place = placeFor(shell, shell.flags.profile ?? USUAL_NAME);
    const typed = readTyped(accountQuestions, options);
    const known = { ...typed, ...place.fixed };
    const said = readTyped(remitterQuestions, remitterIn(options), known);
    requireSame(place, typed, said);
    const callbackUrl = callbackUrlIn(options);
    if (options.secretStdin) requireStdinToRead(shell);
    else if (!canAsk(shell)) throw unasked([...missingFlags(known), '--secret-stdin']);
    if (!canAsk(shell) && missingFlags(known).length > 0) throw unasked(missingFlags(known));
    const keeping = keepingOf(shell, place, options);
    await agreeToReplace(shell, place, keeping, options.yes);
    // A keychain that cannot be used is reported before a person answers questions and before the service is called.
    if (keeping.wantsKeychain) shell.keychain.read('is it there');

    const { secretStdin, routesPath } = options;
    const kept = place.earlier ?? emptyProfile();
    const paths = { ...kept.paths, ...present({ 'find-routes': routesPath }) };
    const profile = { ...kept, paths };
    const { answers, clientSecret, assigned } = await reachAccount(shell, { known, secretStdin, profile });
    const hasCallbacks = (callbackUrl ?? kept.callbacks.url) !== undefined;
    const { country } = answers;
    const chosen = await chooseRoutes(shell, { country, assigned, flags: options.route ?? [], hasCallbacks });
    const request = { typed: said, known: place.config.remitter, answers };
    const { routes, remitter } = await askRemitter(shell, chosen, request);
    const keeper = await chooseKeeper(shell, keeping, answers);
    const secret = keeper.settings;
    const text = textWith(place, { answers, routes, remitter, secret, routesPath, callbackUrl });
    keepProfile(keeper, clientSecret, { file: place.file, text });
    return checked(shell, place, keeper, routes);
  },
});

/** Runs the doctor's checks on what was written, and says where everything is and what to do next. */
async function checked(
  shell: Shell,
  { file, profileName, defaultProfile = profileName, earlier }: ProfilePlace,
  keeper: SecretKeeper,
  routes: readonly KindRoute[],
): Promise<RunEnd> {
  const written = { profile: profileName, config: file };
  const { checks, exit } = await emitChecks({ ...shell, config: () => shell.config(written) }, false);
  const { overridden } = shell.config(written);
  const overriddenBy = ofAccount.flatMap((name) => overridden[name] ?? []);
  const isDefault = defaultProfile === profileName;
  const event = {
    type: 'init',
    profile: profileName,
    file,
    ...keeper.fields,
    isDefault,
    routes: routes.map(({ kind, chosen, why }) => ({ kind: kind.name, ...chosen?.route, name: chosen?.name, why })),
    overriddenBy,
    checks,
  };
  const leftFile = leftBehind(shell, earlier, keeper);
  const named = shell.flags.config === undefined ? '' : ` --config ${typedPath(shown(file))}`;
  const account = `${named}${isDefault ? '' : ` --profile ${profileName}`}`;
  const lines = [
    ...routes.flatMap(({ kind, why }) => (why === undefined ? [] : [`Not set up: ${kind.title}: ${why}.`])),
    '',
    `Written   profile ${profileName} in ${shown(file)}`,
    `          ${isDefault ? 'It counts from now on, without --profile.' : `Use it with --profile ${profileName}.`}`,
    `Secret    ${keeper.where}`,
    ...(leftFile === undefined
      ? []
      : [`WARN      ${shown(leftFile)} still holds a secret: delete it if nothing else uses it.`]),
    ...overriddenBy.map((name) => `WARN      ${name} in the environment takes precedence over what was written.`),
    '',
    exit === 0 ? 'Next' : `Next      Fix what is marked ERROR above, then run: paybatch doctor${account}`,
    ...nextSteps(routes.find(({ chosen }) => chosen)?.kind.name ?? '', { file: named, account }),
  ];
  return { ...answered(shell, event, lines), exit };
}

const callbackUrlIn = ({ callbackUrl }: InitOptions): string | undefined =>
  callbackUrl === undefined ? undefined : underFlag('--callback-url', () => checkedAddress(callbackUrl));

/** Returns where the secret is to be kept. A secret that was in the keychain stays there, unless a file is named. */
function keepingOf(shell: Shell, place: ProfilePlace, { secretFile, keychain }: InitOptions): KeeperRequest {
  const wantsFile = secretFile !== undefined;
  if (keychain && wantsFile) {
    const message = '--keychain and --secret-file name two places for the secret. Nothing was written.';
    throw new Fault('usage', message, 'Leave one of them out.');
  }
  return {
    wantsKeychain: keychain || (place.earlier?.clientSecretKeychain === true && !wantsFile),
    wantsFile,
    secretFile: wantsFile ? path.resolve(shell.cwd, secretFile) : ownSecretFile(shell, place),
  };
}

/** Returns the file that kept the secret before, and that the profile no longer names; `undefined` if there is none. */
function leftBehind(shell: Shell, earlier: ProfilePlace['earlier'], { settings }: SecretKeeper): string | undefined {
  const before = earlier?.clientSecretFile && path.resolve(shell.cwd, earlier.clientSecretFile);
  return before && before !== settings.clientSecretFile && existsSync(before) ? before : undefined;
}

/** Returns if nothing is there yet, or if a person or `--yes` allows it to be replaced. */
async function agreeToReplace(
  shell: Shell,
  { file, profileName, earlier }: ProfilePlace,
  { wantsKeychain, secretFile }: KeeperRequest,
  yes: boolean,
): Promise<void> {
  const there = [
    ...(earlier ? [`the profile "${profileName}" (${earlier.clientId ?? 'no client id'}) in ${shown(file)}`] : []),
    ...(!wantsKeychain && isKept(secretFile) ? [`a secret in ${shown(secretFile)}`] : []),
  ];
  if (there.length === 0 || yes) return;
  const message = `There is already ${there.join(', and ')}.`;
  if (!canAsk(shell)) {
    const remedy = `To replace it: --yes. To keep it: another name, --profile NAME${earlier ? '' : ', or --secret-file FILE'}.`;
    throw new Fault('usage', `${message} Nothing was written.`, remedy);
  }
  shell.terminal.say(message);
  const answer = await askToChoose(shell, 'Replace it?', [
    { value: 1, label: 'No, stop here' },
    { value: 2, label: 'Yes, once the new account has answered; its other settings stay' },
  ]);
  if (answer !== 2) throw stopped();
}

function unasked(flags: readonly string[]): Fault {
  const remedy = `Add ${flags.join(' ')}. The secret comes from stdin: paybatch init … --secret-stdin < FILE`;
  return new Fault(
    'usage',
    `Nobody can be asked here, and ${flags.join(', ')} is missing. Nothing was written.`,
    remedy,
  );
}
