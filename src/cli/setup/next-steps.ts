/** What a person does after a profile was written. */
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { SANDBOX_PROFILE } from '../config/profile-name.ts';

export interface WrittenProfile {
  readonly profileName: string;
  readonly file: string;
  /** Where the secret is kept, in words. */
  readonly secretAt: string;
  /** A way of paying that has a route, as the type column calls it. */
  readonly kind: string;
  /** Commands use the profile without being told to. */
  readonly isDefault: boolean;
  /** Commands find the file without being told where it is. */
  readonly isFound: boolean;
  /** All checks are made, and none of them stands in the way of a payment. */
  readonly isReady: boolean;
  /** Names of the environment that go before what was written. */
  readonly overriddenBy: readonly string[];
  /** A file that still holds a secret, and that the profile does not name any more. */
  readonly leftFile: string | undefined;
}

/** Where everything is, and the commands to type next. */
export function nextSteps(written: WrittenProfile): readonly string[] {
  const { profileName, file, secretAt, kind, isDefault, isFound, isReady, overriddenBy, leftFile } = written;
  const named = isFound ? '' : ` --config ${typedPath(shown(file))}`;
  const chosen = `${named}${isDefault ? '' : ` --profile ${profileName}`}`;
  const counts = isDefault ? 'It counts from now on, without --profile.' : `Use it with --profile ${profileName}.`;
  return [
    '',
    `Written   profile ${profileName} in ${shown(file)}`,
    `          ${counts}`,
    `Secret    ${secretAt}`,
    ...(leftFile === undefined
      ? []
      : [`WARN      ${shown(leftFile)} still holds a secret: delete it if nothing else uses it.`]),
    ...overriddenBy.map((name) => `WARN      ${name} in the environment goes before what was written.`),
    '',
    isReady ? 'Next' : `Next      Mend what says ERROR above, then: paybatch doctor${chosen}`,
    `  1  paybatch template --type ${kind} -o first.xlsx`,
    '     an empty sheet: fill in one small payment, to yourself',
    `  2  paybatch run first.xlsx${named} --profile ${SANDBOX_PROFILE}`,
    '     rehearse it: no real money moves',
    `  3  paybatch run first.xlsx${chosen}`,
    '     pay it: you are asked for a name, and type the total',
  ];
}
