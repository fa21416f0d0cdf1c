/** The client secret, which a person types without echo or a program passes on stdin. It is never a flag. */
import { Fault } from '../../domain/fault.ts';
import { inputText } from '../input-text.ts';
import { askForSecret } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { canAsk, mistakeOf, stopped } from './account-questions.ts';

/** Largest input in bytes: a secret is short, so anything longer is something else. */
const BYTES_MAX = 65_536;

/** The source of the secret, and the words in which a person is asked for it. */
interface SecretSource {
  readonly stdin: boolean;
  readonly asks?: string;
}

/** Returns the secret without blanks around it. From then on it is hidden in all output. */
export async function typedSecret(shell: Shell, { stdin, asks = 'Client secret' }: SecretSource): Promise<string> {
  const secret = stdin ? read(await textOfStdin(shell)) : await asked(shell, asks);
  shell.secrets.add(secret);
  return secret;
}

async function asked(shell: Shell, asks: string): Promise<string> {
  if (!canAsk(shell)) {
    throw new Fault(
      'usage',
      'The client secret can be typed only on a terminal, and this is not one. Nothing was written.',
      'Hand it over on stdin: paybatch … --secret-stdin < FILE',
    );
  }
  const said = await askForSecret(shell, `${asks} (nothing shows while you type)`, (text) =>
    mistakeOf(() => read(text ?? '')),
  );
  if (said === undefined) throw stopped();
  return read(said);
}

function read(text: string): string {
  const secret = text.trim();
  if (secret === '') throw wrong('The client secret is empty.', 'Paste it as the provider gave it.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it must not have
  if (/[\u0000-\u001f\u007f]/.test(secret))
    throw wrong('The client secret has more than one line, or a control character.', 'Give the secret alone.');
  return secret;
}

/** Throws a Fault `usage` if stdin is a terminal, because the secret would be visible while it is typed. */
export function requireStdinToRead({ streams: { stdin } }: Shell): void {
  if (!stdin.isTTY) return;
  throw wrong(
    '--secret-stdin on a terminal would show the secret.',
    'Leave it out to be asked for the secret without echo.',
  );
}

function textOfStdin(shell: Shell): Promise<string> {
  requireStdinToRead(shell);
  const { streams, signal } = shell;
  const outcome = 'Nothing was written.';
  const remedy = 'Give the secret alone, as UTF-8.';
  return inputText(streams.stdin, { name: 'stdin', bytesMax: BYTES_MAX, signal, outcome, remedy });
}

const wrong = (message: string, remedy: string): Fault => new Fault('usage', `${message} Nothing was written.`, remedy);
