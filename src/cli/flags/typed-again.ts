/** The command that was typed, as it is to be typed next: every option that decides what is read and paid stays. */
import type { NextStep, RunEnd } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import type { Shell } from '../shell.ts';

interface Change {
  /** Words that replace others: another command, another sheet. */
  readonly words?: Readonly<Record<string, string>>;
  /** Options that no longer hold, and whether each takes a value. */
  readonly without: Readonly<Record<string, 'value' | 'alone'>>;
}

/** What a next step does without: how this one was shown. */
const OF_THE_SCREEN = { '--no-color': 'alone' } as const;

/** Returns the command that was typed, with the change. */
export function typedAgain({ argv }: Pick<Shell, 'argv'>, { words = {}, without }: Change): string {
  const left: Change['without'] = { ...OF_THE_SCREEN, ...without };
  const typed: string[] = ['paybatch'];
  let isValue = false;
  for (const word of argv) {
    const [name = ''] = word.split('=', 1);
    if (!isValue && left[name] === undefined) typed.push(typedPath(words[word] ?? word));
    isValue = !isValue && left[name] === 'value' && word === name;
  }
  return typed.join(' ');
}

/** What holds of a sheet, and not of its checked copy: how the file is stored, and how many rows may be set aside. */
const OF_THE_SHEET = { '--encoding': 'value', '--skip-invalid': 'value' } as const;

/** Options that `validate` takes and `run` does not. */
export const OF_VALIDATE = { '--format': 'value', '--totals': 'alone' } as const;

/**
 * Adds the next step after a sheet was refused and a copy of it marked: the same command with the copy. `validate` is followed
 * by `run`.
 */
export function withCorrection(end: RunEnd, shell: Pick<Shell, 'argv'>, sheet: string): RunEnd {
  const copy = end.files.find(({ kind }) => kind === 'checked');
  if (!copy || !end.fault) return end;
  const words = { [sheet]: copy.path, validate: 'run' };
  const next: NextStep = {
    says: 'Correct the marked cells in the copy, then:',
    command: typedAgain(shell, { words, without: { ...OF_THE_SHEET, ...OF_VALIDATE } }),
  };
  return { ...end, next };
}
