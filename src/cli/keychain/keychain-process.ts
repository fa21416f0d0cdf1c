/**
 * Asks the keychain of the system, as a separate program. `keychain.ts` starts it, and says why. A request is one line of
 * JSON on stdin, and its answer is one line on stdout, so a list of processes shows neither.
 */
import { text } from 'node:stream/consumers';

/** The service name of everything that paybatch keeps in a keychain. */
const SERVICE = 'paybatch';

export interface KeychainRequest {
  readonly todo: 'read' | 'keep' | 'remove';
  /** The name under which a secret is kept. */
  readonly account: string;
  /** The secret to keep. */
  readonly secret?: string;
}

export interface KeychainAnswer {
  /** The secret that is kept after the request, or was kept before it was removed; absent if there is none. */
  readonly secret?: string | undefined;
  /** Set if this installation has no support for the keychain of this system. */
  readonly isMissing?: true;
  /** Why the keychain did nothing, in its own words. */
  readonly why?: string;
}

/** On Linux the Secret Service is required: without one, the library would use kernel memory, which is empty after a restart. */
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
