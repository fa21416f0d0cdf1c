/** Which addresses a client may talk to: https everywhere, http to this machine only, and never with credentials in it. */
import { Fault } from '../domain/fault.ts';

/** The address as every writing of it ends up (case of the host, usual port), without a slash at its end. A Fault when nothing may be sent to it. */
export function checkedAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw wrongAddress(`"${text.slice(0, 80)}" is not an address.`, 'Use https://host/path.');
  if (url.username || url.password) throw wrongAddress('An address holds credentials.', 'Take them out of it.');
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw wrongAddress(`The address ${url.origin} is not https.`, 'http is allowed to this machine only.');
  }
  return url.href.replace(/\/+$/, '');
}

const wrongAddress = (message: string, remedy: string): Fault => new Fault('configuration', message, remedy);
