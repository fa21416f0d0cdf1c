/** Names and addresses of this machine, and whether a request came to one of paybatch's servers under one of its own names. */

/**
 * Reports whether the `Host` of a request is the server's own: the address that the request came to, `localhost` if that
 * address is loopback, or one of `names`. A web page that was fetched under another name, which was then pointed at this
 * server, sends that name in `Host` (DNS rebinding).
 */
export function isOwnHost(
  hostHeader: string | undefined,
  localAddress: string | undefined,
  names: readonly string[],
): boolean {
  const name = bareHost(URL.parse(`http://${hostHeader ?? ''}`)?.hostname);
  const address = bareHost(localAddress);
  const ours = [address, ...(isLoopback(address) ? ['localhost'] : []), ...names];
  return name !== '' && ours.some((one) => bareHost(one) === name);
}

/** Returns a name or address as it is compared: without the brackets of IPv6, and mapped IPv4 in its own form. */
export const bareHost = (name = ''): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '');

/** Reports whether a name or address, as `bareHost` returns it, is reached from this machine only. A name such as `127.example.com` is not. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

const unencrypted: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reports whether something may be sent unencrypted to a host, as a URL has it. Only the usual names of this machine count:
 * other loopback addresses are often set up to lead to another one.
 */
export const mayBeUnencrypted = (hostname: string): boolean => unencrypted.includes(hostname);

/**
 * Returns an address in one spelling, however it was written: host in lower case, no default port, no slash at the end, %2F
 * instead of %2f.
 */
export function plainAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { href } = new URL(text);
  return href.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()).replace(/\/+$/, '');
}
