/** The file that a profile is written into: which one that is, what it says already, and its text with the profile in it. */
import { existsSync, realpathSync } from 'node:fs';
import { applyEdits, modify } from 'jsonc-parser';
import { homeCountryOf } from '../../domain/country.ts';
import { Fault } from '../../domain/fault.ts';
import { invariant } from '../../domain/invariant.ts';
import type { RemitterSettings } from '../../domain/settings.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { requireBelieved } from '../config/belief.ts';
import { type ReadFile, readConfigFile } from '../config/config-file.ts';
import type { Config, ProfileConfig } from '../config/config-schema.ts';
import { settingsIn } from '../config/load-config.ts';
import { ENVIRONMENT_PROFILE, requireProfileName, SANDBOX_PROFILE } from '../config/profile-name.ts';
import type { Shell } from '../shell.ts';
import type { AccountAnswers, PartialAnswers } from './account-questions.ts';
import type { KindRoute } from './choose-routes.ts';
import type { SecretKeeper } from './secret-keeper.ts';

/** A place for a profile. */
export interface ProfilePlace {
  /** The whole path. */
  readonly file: string;
  readonly profileName: string;
  /** What the file says now; of one that is not there yet: nothing. */
  readonly text: string;
  readonly config: Config;
  /** The profile of this name, when there is one. */
  readonly earlier: ProfileConfig | undefined;
  /** What the file says for all its profiles. It stays: the others are paid by it. */
  readonly fixed: PartialAnswers;
  /** The default profile that the file names. */
  readonly defaultProfile: string | undefined;
}

/** Where a profile of this name goes. A Fault when nothing can be written there, or nobody has said that the file counts. */
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
    text: read?.text.replace(/^\ufeff/, '') ?? '',
    config,
    earlier: Object.hasOwn(config.profiles, profileName) ? config.profiles[profileName] : undefined,
    fixed: fixedBy(config, given),
    defaultProfile: config.defaultProfile,
  };
}

/** A project file goes before the user's own: what is written there would not be read here. */
function wouldBeHidden({ path }: ReadFile): Fault {
  const place = typedPath(shown(path));
  return new Fault(
    'configuration',
    `The configuration ${shown(path)} lies here, and goes before your own one. Nothing was written.`,
    `To add the profile to it: --config ${place}   For one of your own, run this in another folder.`,
  );
}

/** What other profiles of the file are paid by, said or by default; of a file without profiles: only what it says. */
function fixedBy({ organisation, country, currency, profiles }: Config, given: unknown): PartialAnswers {
  const says: object = typeof given === 'object' && given !== null ? given : {};
  const hasProfiles = Object.keys(profiles).length > 0;
  return Object.fromEntries(
    Object.entries({ organisation, country, currency }).filter(([name]) => hasProfiles || Object.hasOwn(says, name)),
  );
}

/** A Fault when flags say something else than the file says for all its profiles. */
export function requireSame({ file, fixed }: ProfilePlace, typed: PartialAnswers): void {
  for (const name of ['organisation', 'country', 'currency'] as const) {
    const [before, now] = [fixed[name], typed[name]];
    if (before === undefined || now === undefined || before.toUpperCase() === now.toUpperCase()) continue;
    throw new Fault(
      'configuration',
      `${shown(file)} has the ${name} "${shown(before)}" for all its profiles, not "${shown(now)}". Nothing was written.`,
      `Leave --${name} out, or set up a file of its own: --config FILE`,
    );
  }
}

/** What becomes of a profile. */
interface NewProfile {
  readonly answers: AccountAnswers;
  readonly routes: readonly KindRoute[];
  readonly remitter: RemitterSettings;
  /** What says where its secret is. */
  readonly secret: SecretKeeper['settings'];
  readonly routesPath: string | undefined;
  readonly callbackUrl: string | undefined;
  /** For a country that is not among those that are served. */
  readonly ownTimezone: string;
}

/**
 * What ids are made from: a profile that is set up again with the same client keeps what it has; for another client nothing tells
 * whether the account is still the same, and its ledger asks (`ledger same-account`).
 */
const namespaceOf = ({ earlier }: ProfilePlace, { clientId }: AccountAnswers): string =>
  (earlier?.clientId === clientId ? earlier.idNamespace : undefined) ?? clientId;

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, insertFinalNewline: true } };

/** The text of the file with the profile in it; everything else stays as its author wrote it. */
export function textWith(place: ProfilePlace, profile: NewProfile): string {
  const { answers, routes, remitter, secret, routesPath, callbackUrl, ownTimezone } = profile;
  const { profileName, fixed, earlier, defaultProfile } = place;
  const at = (...path: readonly string[]): readonly string[] => ['profiles', profileName, ...path];
  const general = (['organisation', 'country', 'currency'] as const).filter((name) => fixed[name] === undefined);
  const isNew = place.text.trim() === '';
  const edits: readonly Edit[] = [
    ...general.map((name) => [[name], answers[name]] as const),
    ...(isNew ? [[['timezone'], homeCountryOf(answers.country)?.timezone ?? ownTimezone] as const] : []),
    ...(defaultProfile === undefined ? [[['defaultProfile'], profileName] as const] : []),
    ...(['baseUrl', 'tokenUrl', 'clientId'] as const).map((name) => [at(name), answers[name]] as const),
    // Written down although it is what counts without it: it stays when somebody puts a new client id of the account in its place.
    [at('idNamespace'), namespaceOf(place, answers)],
    ...secretPlaces.map((name) => [at(name), secret[name]] as const),
    [at('scope'), answers.scope],
    // Where the secret of the account before could go as well, or came from, the new one has no business.
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

/** The text of the file with another place of the profile's secret; everything else stays as its author wrote it. */
export const textWithSecretAt = (place: ProfilePlace, secret: SecretKeeper['settings']): string =>
  edited(
    place,
    place.text,
    secretPlaces.map((name) => [['profiles', place.profileName, name], secret[name]] as const),
  );

const secretPlaces = ['clientSecretFile', 'clientSecretKeychain'] as const;

/** A setting of the file, and what becomes of it; undefined: it is taken out. */
type Edit = readonly [path: readonly string[], value: unknown];

function edited({ file, profileName }: ProfilePlace, text: string, edits: readonly Edit[]): string {
  const after = edits.reduce(
    (before, [path, value]) => applyEdits(before, modify(before, [...path], value, FORMAT)),
    text,
  );
  const written = settingsIn({ path: file, by: 'flag', text: after, sha256: '' });
  invariant(Object.hasOwn(written.config.profiles, profileName), 'what is written can be read');
  return after;
}
