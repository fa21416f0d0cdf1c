/** The answers about an account: from flags, from what a file says already, and from a person where one can be asked. */
import { Fault } from '../../domain/fault.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import {
  type AccountAnswers,
  type AnswerName,
  type PartialAnswers,
  type Question,
  questions,
} from './account-questions.ts';

/** True of every fault of an answer, and no news while nothing is being paid. */
const UNSENT = ' Nothing was sent.';

/** What was answered on the command line, as it was typed. */
export type TypedAnswers = Readonly<Partial<Record<AnswerName, string | undefined>>>;

/** Whether questions can be asked: a program that reads events cannot answer any. */
export const canAsk = ({ terminal, flags }: Shell): boolean => terminal.interactive && !flags.json;

/** What was typed, read as it will be written down. A Fault `usage` that names the flag of a wrong one. */
export function readTyped(typed: TypedAnswers): PartialAnswers {
  const read = questions.flatMap(({ name, flag, read: as }) => {
    const text = typed[name];
    return text === undefined ? [] : [[name, underFlag(flag, () => as(text))] as const];
  });
  return Object.fromEntries(read);
}

/** What a flag gives. A Fault of its value becomes one that names it. */
export function underFlag<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [message, remedy] = [error.message, error.remedy].map((text) => text.replace(UNSENT, ''));
    throw new Fault('usage', `${flag}: ${message} Nothing was written.`, remedy ?? '', { cause: error });
  }
}

/** The flags that are missing where nobody can be asked. */
export const missingFlags = (known: PartialAnswers): readonly string[] =>
  questions.filter(({ name, assumed }) => known[name] === undefined && !assumed).map(({ flag }) => flag);

/** All answers: what nobody said is asked for, or where nobody can be asked as it goes without saying. */
export async function askAccount(shell: Shell, known: PartialAnswers): Promise<AccountAnswers> {
  const answers: Partial<Record<AnswerName, string>> = { ...known };
  for (const question of questions) {
    answers[question.name] ??= canAsk(shell) ? await ask(shell, question, answers) : assumed(question, answers);
  }
  return answers as AccountAnswers; // one for each question
}

/** Asks once more for some of the answers, each with what was said before. */
export async function askAgain(
  shell: Shell,
  answers: AccountAnswers,
  names: readonly AnswerName[],
): Promise<AccountAnswers> {
  const better: Partial<Record<AnswerName, string>> = {};
  for (const question of questions.filter(({ name }) => names.includes(name))) {
    const before = answers[question.name];
    const { hint: _, ...rest } = question;
    const again = { ...rest, asks: `${question.asks}, once more`, proposal: () => before };
    better[question.name] = await ask(shell, again, { ...answers, ...better });
  }
  return { ...answers, ...better };
}

async function ask(shell: Shell, { asks, hint, proposal, read }: Question, known: PartialAnswers): Promise<string> {
  const initialValue = proposal?.(known);
  const said = await askForText(shell, hint === undefined ? asks : `${asks} (${hint})`, {
    ...(initialValue !== undefined && { initialValue }),
    validate: (text) => mistakeOf(() => read(text ?? '')),
  });
  if (said === undefined) throw stopped();
  return read(said);
}

/** What is wrong with an answer, in the line below it. */
export function mistakeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${error.message} ${error.remedy}`.replace(UNSENT, '');
  }
}

/** Whoever was asked has stopped. */
export const stopped = (): Fault =>
  new Fault('declined', 'Stopped. Nothing was written.', 'Run it again when you have everything at hand.');

function assumed({ flag, proposal, read }: Question, known: PartialAnswers): string {
  const said = proposal?.(known);
  if (said !== undefined) return underFlag(flag, () => read(said));
  throw new Fault('usage', `${flag} is missing: nothing goes without saying here. Nothing was written.`, 'Add it.');
}
