import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkedAddress } from '../../client/address.ts';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { cliCommand } from '../command.ts';
import { tellChecks } from '../doctor/doctor.ts';
import { answered } from '../screens/answered.ts';
import { askToChoose } from '../screens/ask.ts';
import { canAsk, missingFlags, readTyped, stopped, underFlag } from '../setup/ask-account.ts';
import { askRemitter, readRemitter } from '../setup/ask-remitter.ts';
import { chooseKeeper, type KeeperRequest, requireKeychainFor } from '../setup/choose-keeper.ts';
import { chooseRoutes, type KindRoute } from '../setup/choose-routes.ts';
import { answersIn, declareInit, type InitOptions, remitterIn } from '../setup/init-options.ts';
import { isKept, keepProfile, ownSecretFile } from '../setup/kept-files.ts';
import { nextSteps } from '../setup/next-steps.ts';
import { type ProfilePlace, placeFor, requireSame, textWith } from '../setup/profile-file.ts';
import { reachAccount } from '../setup/reach-account.ts';
import type { SecretKeeper } from '../setup/secret-keeper.ts';
import { requireStdinToRead } from '../setup/typed-secret.ts';
import type { Shell } from '../shell.ts';

/** The name of a profile that nobody gave one. */
const USUAL_NAME = 'live';

/** Settings of an account that the environment can say in place of a file. */
const ofAccount = ['baseUrl', 'tokenUrl', 'clientId', 'clientSecret', 'scope'] as const;

export const init = cliCommand({
  example: 'paybatch init',
  moreExamples: ['paybatch init --profile branch', 'paybatch init --keychain'],
  declare: declareInit,
  async run(shell, _, options): Promise<RunEnd> {
    const place = placeFor(shell, shell.flags.profile ?? USUAL_NAME);
    const typed = readTyped(answersIn(options));
    requireSame(place, typed);
    const known = { ...typed, ...place.fixed };
    const said = readRemitter(remitterIn(options), known.country ?? '');
    const callbackUrl = callbackUrlIn(options);
    if (options.secretStdin) requireStdinToRead(shell);
    else if (!canAsk(shell)) throw unasked([...missingFlags(known), '--secret-stdin']);
    if (!canAsk(shell) && missingFlags(known).length > 0) throw unasked(missingFlags(known));
    const keeping = keepingOf(shell, place, options);
    await agreeToReplace(shell, place, keeping, options.yes);
    requireKeychainFor(shell, keeping);

    const { answers, clientSecret, assigned } = await reachAccount(shell, known, {
      secretStdin: options.secretStdin,
      routesPath: options.routesPath,
    });
    const hasCallbacks = (callbackUrl ?? place.earlier?.callbacks.url) !== undefined;
    const { country, organisation } = answers;
    const chosen = await chooseRoutes(shell, { country, assigned, flags: options.route ?? [], hasCallbacks });
    const payer = { organisation, country, known: place.config.remitter };
    const { routes, remitter } = await askRemitter(shell, chosen, said, payer);
    const { routesPath } = options;
    const ownTimezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const keeper = await chooseKeeper(shell, keeping, answers);
    const secret = keeper.settings;
    const text = textWith(place, { answers, routes, remitter, secret, routesPath, callbackUrl, ownTimezone });
    keepProfile(keeper, clientSecret, { file: place.file, text });
    return checked(shell, place, keeper, routes);
  },
});

/** Makes the doctor's checks with what was written, and says what to do next. */
async function checked(
  shell: Shell,
  { file, profileName, defaultProfile, earlier }: ProfilePlace,
  keeper: SecretKeeper,
  routes: readonly KindRoute[],
): Promise<RunEnd> {
  const written = { profile: profileName, config: file };
  const { checks, exit } = await tellChecks({ ...shell, config: () => shell.config(written) }, 'init', false);
  const { overridden } = shell.config(written);
  const isDefault = (defaultProfile ?? profileName) === profileName;
  const isFound = shell.flags.config === undefined;
  const overriddenBy = ofAccount.flatMap((name) => overridden[name] ?? []);
  const told = routes.map(({ kind, chosen, why }) => ({ kind: kind.name, ...chosen?.route, name: chosen?.name, why }));
  const event = {
    type: 'init',
    profile: profileName,
    file,
    ...keeper.told,
    isDefault,
    routes: told,
    overriddenBy,
    checks,
  };
  const kind = routes.find(({ chosen }) => chosen)?.kind.name ?? '';
  const secretAt = keeper.where;
  const leftFile = leftBehind(shell, earlier, keeper);
  const leftOut = routes.filter(({ why }) => why !== undefined);
  const lines = [
    ...leftOut.map(({ kind, why }) => `Not set up: ${kind.title}: ${why}.`),
    ...nextSteps({
      profileName,
      file,
      secretAt,
      kind,
      isDefault,
      isFound,
      isReady: exit === 0,
      overriddenBy,
      leftFile,
    }),
  ];
  return { ...answered(shell, event, lines), exit };
}

const callbackUrlIn = ({ callbackUrl }: InitOptions): string | undefined =>
  callbackUrl === undefined ? undefined : underFlag('--callback-url', () => checkedAddress(callbackUrl));

/** A profile that was kept in the keychain stays there, unless somebody names a file. */
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

/** The file that the secret was kept in before, and that nothing of this profile names any more. */
function leftBehind(shell: Shell, earlier: ProfilePlace['earlier'], { settings }: SecretKeeper): string | undefined {
  const before = earlier?.clientSecretFile && path.resolve(shell.cwd, earlier.clientSecretFile);
  return before && before !== settings.clientSecretFile && existsSync(before) ? before : undefined;
}

/** Returns when nothing is there, or somebody has said that it may be replaced. */
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
