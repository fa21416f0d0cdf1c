/** What a failed connection means, in words that show a person where to look. The code stays next to them for experts. */

/** What happened, by error code. `{at}` is the host with its port, `{host}` the host without it. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at {at}',
  ENOTFOUND: 'there is no host {host}',
  EAI_AGAIN: 'the host {host} could not be looked up; this computer may be offline',
  EHOSTUNREACH: '{at} cannot be reached from this network',
  ENETUNREACH: '{at} cannot be reached from this network',
  ETIMEDOUT: '{at} did not take the connection in time',
  UND_ERR_CONNECT_TIMEOUT: '{at} did not take the connection in time',
  UND_ERR_HEADERS_TIMEOUT: '{at} did not answer in time',
  UND_ERR_BODY_TIMEOUT: '{at} did not finish its answer in time',
  TimeoutError: '{at} did not answer in time',
  ECONNRESET: '{at} closed the connection before it answered',
  EPIPE: '{at} closed the connection before it answered',
  UND_ERR_SOCKET: '{at} closed the connection before it answered',
  ERR_SSL_WRONG_VERSION_NUMBER: '{at} does not speak https',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: '{at} does not speak https',
  EPROTO: '{at} and this computer could not agree on an https connection',
  CERT_HAS_EXPIRED: 'the certificate of {at} has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of {at} is that of another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of {at} is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of {at} comes from an authority that this computer does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of {at} comes from an authority that this computer does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of {at} comes from an authority that this computer does not know',
  PROXY_407: 'the proxy {at} asks for a name and a password, and paybatch has none for it',
  PROXY_REFUSED: 'the proxy {at} does not let this computer through to the service',
  UND_ERR_PRX_CONN: '{at} closed the connection before it let anything through',
  UND_ERR_PRX_TLS: 'the certificate of {at} is that of another host',
  HPE_INVALID_CONSTANT: '{at} does not speak HTTP',
};

/** What a person can do about a certificate from an unknown authority: company networks have their own authorities. */
const OWN_AUTHORITY =
  'If the certificate is of an authority of your own company, or of its proxy, name the file with the certificate of that authority in the environment variable NODE_EXTRA_CA_CERTS, then run the same command again. Otherwise somebody may be answering in the name of the service: ask the provider.';

const PROXY_SAYS_NO =
  'Ask the people who run the proxy to let this computer reach the address of the service, and check proxy of the profile.';

const fixes: Readonly<Record<string, string>> = {
  PROXY_407: PROXY_SAYS_NO,
  PROXY_REFUSED: PROXY_SAYS_NO,
  DEPTH_ZERO_SELF_SIGNED_CERT: OWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: OWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OWN_AUTHORITY,
};

/** Returns a failure in words, with its code: `nothing answers at localhost:9 (ECONNREFUSED)`; and what to do, if more is known. */
export function failureWords(
  code: string,
  syscall: string,
  at: string,
): { readonly reason: string; readonly fix?: string } {
  const known = Object.hasOwn(words, code) ? words[code] : undefined;
  if (known === undefined) return { reason: `${at}: ${syscall ? `${code} (${syscall})` : code}` };
  const said = known.replace('{at}', at).replace('{host}', at.replace(/:\d+$/, ''));
  const fix = Object.hasOwn(fixes, code) ? fixes[code] : undefined;
  return { reason: `${said} (${code})`, ...(fix !== undefined && { fix }) };
}
