/** Which addresses a client may talk to: https everywhere, http to this machine only, and nothing in them but a place. */
import { Fault } from '../domain/fault.ts';

/**
 * The address as every writing of it ends up (case of the host, usual port), without a slash at its end. A Fault when nothing may
 * be sent to it. `what`: which setting it is. The text itself is never told, because it may hold a password.
 */
export function checkedAddress(text: string, what = 'The address'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw wrongAddress(`${what} is not an address.`, 'Use https://host/path.');
  if (url.username || url.password) throw wrongAddress(`${what} holds credentials.`, 'Take them out of it.');
  // Paths of operations are put behind it: behind one of these they would be no paths.
  if (/[?#]/.test(text)) {
    throw wrongAddress(`${what} has a "?" or "#" in it.`, 'Use https://host/path, without what comes after the path.');
  }
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw wrongAddress(`${what}, at ${url.host || 'no host'}, is not https.`, 'http is allowed to this machine only.');
  }
  return url.href.replace(/\/+$/, '');
}

const wrongAddress = (message: string, remedy: string): Fault =>
  new Fault('configuration', message, `${remedy} Nothing was sent.`);
