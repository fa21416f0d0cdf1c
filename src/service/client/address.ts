/** Which addresses a client may talk to: https everywhere, http to this machine only, and nothing in an address but a place. */
import { Fault } from '../../domain/fault.ts';
import { mayBeUnencrypted } from '../../domain/own-host.ts';

/**
 * Returns an address in its normal form (case of the host, default port), without a slash at the end. Throws a Fault
 * `configuration` if nothing may be sent to it. `what`: the setting that holds the address. The text itself is never shown,
 * because it may hold a password.
 */
export function checkedAddress(text: string, what = 'The address'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw wrongAddress(`${what} is not an address.`, 'Use https://host/path.');
  if (url.username || url.password) throw wrongAddress(`${what} holds credentials.`, 'Take them out of it.');
  // Paths of operations are appended to the address: after a query or a fragment they would not be paths.
  if (/[?#]/.test(text)) {
    throw wrongAddress(`${what} has a "?" or "#" in it.`, 'Use https://host/path, without what comes after the path.');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBeUnencrypted(url.hostname))) {
    throw wrongAddress(`${what}, at ${url.host || 'no host'}, is not https.`, 'http is allowed to this machine only.');
  }
  return url.href.replace(/\/+$/, '');
}

/**
 * Returns the address of a proxy, without a slash at the end. A proxy carries only tunnels, so it may speak http; but what is
 * not https itself goes through no proxy on another machine. `addresses`: those that are reached through the proxy. Throws a
 * Fault `configuration` for anything else.
 */
export function checkedProxy(text: string, what: string, addresses: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw wrongAddress(`${what} is not the address of a proxy.`, 'Use http://host:port.');
  }
  if (url.username || url.password) {
    throw wrongAddress(
      `${what} holds credentials, and paybatch sends none to a proxy.`,
      'Take them out of it. If the proxy asks for them, name a relay on this machine that has them.',
    );
  }
  if (url.pathname !== '/' || /[?#]/.test(text)) {
    throw wrongAddress(`${what} has more than a host and a port.`, 'Use http://host:port.');
  }
  const open = addresses.find((address) => new URL(address).protocol === 'http:');
  if (open !== undefined && !mayBeUnencrypted(url.hostname)) {
    throw wrongAddress(
      `${what} is another machine, and ${new URL(open).origin} is not https: the payments would cross the network unencrypted.`,
      'Leave one of the two out.',
    );
  }
  return url.origin;
}

const wrongAddress = (message: string, remedy: string): Fault =>
  new Fault('configuration', message, `${remedy} Nothing was sent.`);
