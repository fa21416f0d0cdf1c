/** The client secret, which a person types without echo or a program passes on stdin. It is never a flag. */
import { addAbortListener } from 'node:events';
import { Fault } from '../../domain/fault.ts';
import { textOf } from '../../files/text-of.ts';
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
  throw wrong('--secret-stdin on a terminal would show the secret.', 'Leave it out, and you are asked without echo.');
}

async function textOfStdin(shell: Shell): Promise<string> {
  requireStdinToRead(shell);
  const {
    streams: { stdin },
    signal,
  } = shell;
  using _ = addAbortListener(signal, () => stdin.destroy());
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw wrong('The input on stdin is too long for a secret.', 'Give the secret alone.');
    }
  } catch (error) {
    if (signal.aborted) throw stopped();
    if (error instanceof Fault || !(error instanceof Error && 'code' in error)) throw error;
    throw wrong(`stdin cannot be read (${String(error.code)}).`, 'Hand the secret over on stdin.', error);
  }
  if (signal.aborted) throw stopped();
  return handedOver(Buffer.concat(chunks));
}

function handedOver(bytes: Buffer): string {
  try {
    return textOf(bytes);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw wrong('The input on stdin is not text.', 'Hand the secret over as UTF-8.', error);
  }
}

const wrong = (message: string, remedy: string, cause?: unknown): Fault =>
  new Fault('usage', `${message} Nothing was written.`, remedy, { cause });
