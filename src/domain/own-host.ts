/** Whether a request came to a server of ours under a name that is ours. */

/**
 * A page of the web that was fetched under its own name, which now leads here, gives that name in `Host` (DNS rebinding). Ours are the
 * address that the request came to, `localhost` where that is this machine alone, and `names`.
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

/** As names and addresses are compared: without the brackets of IPv6, and IPv4 in its own form. */
export const bareHost = (name = ''): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '');

/** Whether an address, as `bareHost` gives it, is reached from this machine alone. */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/** An address as every writing of it ends up: host in small letters, no usual port, no slash at its end, %2F and not %2f. */
export function plainAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { href } = new URL(text);
  return href.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()).replace(/\/+$/, '');
}
