/** The file that a profile is written into: which one it is, what it already says, and its text with the profile in it. */
import { existsSync, realpathSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';
import { homeCountryOf } from '../../domain/country.ts';
import { Fault } from '../../domain/fault.ts';
import { invariant } from '../../domain/invariant.ts';
import type { RemitterField, RemitterSettings } from '../../domain/settings.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { requireBelieved } from '../config/belief.ts';
import { type ReadFile, readConfigFile } from '../config/config-file.ts';
import type { Config, ProfileConfig } from '../config/config-schema.ts';
import { ENVIRONMENT_PROFILE, requireProfileName, SANDBOX_PROFILE, settingsIn } from '../config/load-config.ts';
import type { Shell } from '../shell.ts';
import type { AccountAnswers, PartialAnswers } from './account-questions.ts';
import type { KindRoute } from './choose-routes.ts';
import type { SecretKeeper } from './secret-keeper.ts';

/** The place of a profile in a configuration file. */
export interface ProfilePlace {
  /** Absolute path of the file. */
  readonly file: string;
  readonly profileName: string;
  /** The text of the file now; empty if the file does not exist yet. */
  readonly text: string;
  readonly config: Config;
  /** The profile that already has this name; `undefined` if there is none. */
  readonly earlier: ProfileConfig | undefined;
  /** The settings that the file has for all its profiles. They are not changed, because the other profiles pay by them. */
  readonly fixed: PartialAnswers;
  /** The default profile that the file names. */
  readonly defaultProfile: string | undefined;
}

/** Returns where a profile of this name goes. Throws a Fault if nothing can be written there, or if the file is not trusted. */
export function placeFor(shell: Shell, profileName: string): ProfilePlace {
  const { home, file: found, ownFile } = shell.places();
  const read = found && existsSync(found.path) ? readConfigFile(found) : undefined;
  const { config, given } = settingsIn(read);
  if (read) requireBelieved(read, home);
  if (read?.by === 'found') throw wouldBeHidden(read);
  if (profileName === SANDBOX_PROFILE || profileName === ENVIRONMENT_PROFILE) {
    const message = `"${profileName}" is what paybatch calls a profile of its own. Nothing was written.`;
    throw new Fault('configuration', message, 'Use another name: --profile live');
  }
  requireProfileName(profileName, Object.keys(config.profiles));
  return {
    file: read ? realpathSync(read.path) : (found?.path ?? ownFile),
    profileName,
    text: read?.text ?? '',
    config,
    earlier: Object.hasOwn(config.profiles, profileName) ? config.profiles[profileName] : undefined,
    fixed: fixedBy(config, given),
    defaultProfile: config.defaultProfile,
  };
}

/** The fault of a project file, which takes precedence over the user's own file: a profile written into that one would not be read here. */
function wouldBeHidden({ path }: ReadFile): Fault {
  const place = typedPath(shown(path));
  return new Fault(
    'configuration',
    `The configuration ${shown(path)} applies in this folder and takes precedence over your own. Nothing was written.`,
    `To add the profile to it: --config ${place}   For one of your own, run this in another folder.`,
  );
}

/** Returns the settings that other profiles of the file pay by, set or by default. For a file without profiles, only what it sets. */
function fixedBy(config: Config, given: unknown): PartialAnswers {
  const says: object = typeof given === 'object' && given !== null ? given : {};
  const hasProfiles = Object.keys(config.profiles).length > 0;
  return Object.fromEntries(
    general.filter((name) => hasProfiles || Object.hasOwn(says, name)).map((name) => [name, config[name]]),
  );
}

/** Throws a Fault `configuration` if flags contradict what the file says for all its profiles. */
export function requireSame(
  { file, fixed, config }: ProfilePlace,
  typed: PartialAnswers,
  remitter: RemitterSettings,
): void {
  const compared = [
    ...general.map((name) => [name, fixed[name], typed[name]] as const),
    ...Object.entries(remitter).map(
      ([field, now]) => [`${field} of the remitter`, config.remitter[field as RemitterField], now] as const,
    ),
  ];
  for (const [name, before, now] of compared) {
    if (!before || !now || before.toUpperCase() === now.toUpperCase()) continue;
    throw new Fault(
      'configuration',
      `${shown(file)} has the ${name} "${shown(before)}" for all its profiles, not "${shown(now)}". Nothing was written.`,
      'Leave the flag out, or set up a file of its own: --config FILE',
    );
  }
}

/** Settings of the file that are asked for with an account, and that all its profiles share. */
const general = ['organisation', 'country', 'currency'] as const;

/** The new content of a profile. */
interface NewProfile {
  readonly answers: AccountAnswers;
  readonly routes: readonly KindRoute[];
  readonly remitter: RemitterSettings;
  /** The settings that say where the secret is. */
  readonly secret: SecretKeeper['settings'];
  readonly routesPath: string | undefined;
  readonly callbackUrl: string | undefined;
}

/**
 * Returns the namespace that ids are made from. A profile that is set up again with the same client keeps its namespace. For
 * another client it is not known whether the account is still the same, and the ledger of the profile asks (`ledger
 * same-account`).
 */
const namespaceOf = ({ earlier }: ProfilePlace, { clientId }: AccountAnswers): string =>
  (earlier?.clientId === clientId ? earlier.idNamespace : undefined) ?? clientId;

/** Returns the time zone of this computer, for a country that paybatch does not serve. */
const ownTimezone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, insertFinalNewline: true } };

/** Returns the text of the file with the profile in it; everything else stays as its author wrote it. */
export function textWith(place: ProfilePlace, profile: NewProfile): string {
  const { answers, routes, remitter, secret, routesPath, callbackUrl } = profile;
  const { profileName, fixed, earlier, defaultProfile } = place;
  const at = (...path: readonly string[]): readonly string[] => ['profiles', profileName, ...path];
  const isNew = place.text.trim() === '';
  const edits: readonly Edit[] = [
    ...general.filter((name) => fixed[name] === undefined).map((name) => [[name], answers[name]] as const),
    ...(isNew ? [[['timezone'], homeCountryOf(answers.country)?.timezone ?? ownTimezone()] as const] : []),
    ...(defaultProfile === undefined ? [[['defaultProfile'], profileName] as const] : []),
    ...(['baseUrl', 'tokenUrl', 'clientId'] as const).map((name) => [at(name), answers[name]] as const),
    // Written down although it may equal the default: it must stay the same when the account gets a new client id.
    [at('idNamespace'), namespaceOf(place, answers)],
    ...secretPlaces.map((name) => [at(name), secret[name]] as const),
    [at('scope'), answers.scope],
    // The new secret must not go to the other origins of the secret before it, nor come from its systemd credential.
    ...(earlier
      ? (['secretOrigins', 'clientSecretCredential'] as const).map((name) => [at(name), undefined] as const)
      : []),
    [
      at('routes'),
      Object.fromEntries(routes.flatMap(({ kind, chosen }) => (chosen ? [[kind.name, chosen.route]] : []))),
    ],
    ...(routesPath === undefined ? [] : [[at('paths', 'find-routes'), routesPath] as const]),
    ...(callbackUrl === undefined ? [] : [[at('callbacks', 'url'), callbackUrl] as const]),
    ...Object.entries(remitter).map(([field, text]) => [['remitter', field], text] as const),
  ];
  return edited(place, isNew ? '{}\n' : place.text, edits);
}

/** Returns the text of the file with another place for the profile's secret; everything else stays as its author wrote it. */
export const textWithSecretAt = (place: ProfilePlace, secret: SecretKeeper['settings']): string =>
  edited(
    place,
    place.text,
    secretPlaces.map((name) => [['profiles', place.profileName, name], secret[name]] as const),
  );

const secretPlaces = ['clientSecretFile', 'clientSecretKeychain'] as const;

/** A setting of the file and its new value; `undefined` removes it. */
type Edit = readonly [path: readonly string[], value: unknown];

function edited({ file, profileName }: ProfilePlace, text: string, edits: readonly Edit[]): string {
  const after = edits.reduce(
    (before, [path, value]) => applyEdits(before, modify(before, [...path], value, FORMAT)),
    text,
  );
  const written = settingsIn({ path: file, text: after });
  invariant(Object.hasOwn(written.config.profiles, profileName), 'what is written can be read');
  return after;
}
