/**
 * Asks the keychain of the system, as a program of its own. `keychain.ts` starts it, and says why. A request is one line of JSON on
 * stdin, its answer one line on stdout: nothing of it is seen in a list of processes.
 */
import { text } from 'node:stream/consumers';

/** What is kept of paybatch, in every keychain. */
const SERVICE = 'paybatch';

export interface KeychainRequest {
  readonly todo: 'read' | 'keep' | 'remove';
  /** The name that a secret is kept under. */
  readonly account: string;
  /** What is kept. */
  readonly secret?: string;
}

export interface KeychainAnswer {
  /** What is kept there after the request, or was before it is removed; undefined: nothing. */
  readonly secret?: string | undefined;
  /** This installation has no part for the keychain of this system. */
  readonly isMissing?: true;
  /** Why the keychain did nothing, as it says. */
  readonly why?: string;
}

/** Of Linux it is asked for the Secret Service: without one the library would take kernel memory, which is empty after a start. */
const PINNED = { linux: { store: 'secret-service' } } as const;

async function answerTo({ todo, account, secret = '' }: KeychainRequest): Promise<KeychainAnswer> {
  const library = await import('@napi-rs/keyring').catch(() => undefined);
  if (library === undefined) return { isMissing: true };
  try {
    const entry = new library.Entry(SERVICE, account, PINNED);
    if (todo === 'keep') entry.setPassword(secret);
    const kept = entry.getPassword() ?? undefined;
    if (todo === 'remove') entry.deletePassword();
    return { secret: kept };
  } catch (error) {
    return { why: error instanceof Error ? error.message : 'it does not say why' };
  }
}

const request = JSON.parse(await text(process.stdin)) as KeychainRequest; // from `keychain.ts`
process.stdout.write(JSON.stringify(await answerTo(request)));
