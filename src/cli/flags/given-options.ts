/**
 * The options that say which account and settings a command works with. Every command that it proposes needs them, too: without
 * `--profile sandbox`, the next step after a rehearsal would pay.
 */
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { nextStepOf } from '../../results/next-step.ts';
import type { GlobalFlags } from '../shell.ts';

type Given = Pick<GlobalFlags, 'profile' | 'config' | 'lang'>;

/** A command within a sentence. */
const COMMAND = /`(paybatch [^`]+)`/g;

/** Returns the options that were given, as they are typed after a command. */
export const givenOptions = ({ profile, config, lang }: Given): readonly string[] =>
  Object.entries({ profile, config, lang }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${typedPath(value)}`],
  );

/** Returns the end of a command, whose proposed commands have the options that were given to this one. */
export function withGivenOptions(end: RunEnd, flags: Given): RunEnd {
  const given = givenOptions(flags);
  if (given.length === 0) return end;
  const completed = (command: string): string =>
    given.reduce(
      (typed, option) => (typed.includes(option.slice(0, option.indexOf(' '))) ? typed : `${typed} ${option}`),
      command,
    );
  const told = (text: string): string => text.replace(COMMAND, (_, command: string) => `\`${completed(command)}\``);
  const next = nextStepOf(end);
  const { fault } = end;
  return {
    ...end,
    ...(next && {
      next: { says: told(next.says), ...(next.command !== undefined && { command: completed(next.command) }) },
    }),
    ...(fault && {
      fault: new Fault(fault.code, told(fault.message), told(fault.remedy), {
        cause: fault,
        details: fault.details.map(told),
      }),
    }),
  };
}
