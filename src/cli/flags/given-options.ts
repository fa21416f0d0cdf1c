/**
 * The options that say which account and settings a command works with. Every command that it proposes needs them, too: without
 * `--profile sandbox`, the next step after a rehearsal would pay.
 */

import { Fault } from '../../domain/fault.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { nextStepOf } from '../../results/next-step.ts';

/** The options, as far as they were given. */
export interface Given {
  readonly profile?: string;
  readonly config?: string;
  readonly lang?: string;
}

/** A command within a text: between backticks, or after a colon, up to three blanks or the end of the text. */
const COMMAND = /(?<=`)paybatch [^`]+(?=`)|(?<=: )paybatch .+?(?= {3}|$)/g;

/** Returns the options that were given, as they are typed after a command. */
export const givenOptions = ({ profile, config, lang }: Given): readonly string[] =>
  Object.entries({ profile, config, lang }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${typedPath(value)}`],
  );

/** Returns a command with the options that were given to this one, unless it names them itself. */
const completed = (command: string, flags: Given): string =>
  givenOptions(flags).reduce(
    (typed, option) => (typed.includes(option.slice(0, option.indexOf(' '))) ? typed : `${typed} ${option}`),
    command,
  );

/** Returns a text whose proposed commands have the options that were given to this command. */
export const withOptionsGiven = (text: string, flags: Given): string =>
  text.replace(COMMAND, (command) => completed(command, flags));

/** Returns the end of a command, whose proposed commands have the options that were given to this one. */
export function withGivenOptions(end: RunEnd, flags: Given): RunEnd {
  if (givenOptions(flags).length === 0) return end;
  const given = (text: string): string => withOptionsGiven(text, flags);
  const next = nextStepOf(end);
  const { fault } = end;
  return {
    ...end,
    ...(next && {
      next: {
        says: given(next.says),
        ...present({
          before: next.before?.map(given),
          command: next.command && completed(next.command, flags),
        }),
      },
    }),
    ...(fault && {
      fault: new Fault(fault.code, given(fault.message), given(fault.remedy), {
        cause: fault,
        details: fault.details.map(given),
      }),
    }),
  };
}
