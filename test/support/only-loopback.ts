/**
 * The guard that each process of a test run loads before anything else (`own-user.ts`): a connection to anywhere but this machine is
 * refused before its name is asked for, so the test that wants it fails at once instead of waiting for an answer. It is also written
 * down in the file that the address of this module names (`?told=`), because what was tried may have been wanted by nobody: the run
 * fails by it at its end.
 */
import { appendFileSync } from 'node:fs';
import { BlockList, isIP, type LookupFunction, Socket } from 'node:net';

const here = new BlockList();
here.addSubnet('127.0.0.0', 8);
here.addAddress('::1', 'ipv6');

/** No server of names is asked for `localhost`. */
const isHere = (host: string): boolean =>
  isIP(host) === 0 ? /^localhost\.?$/i.test(host) : here.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');

/** Where a socket is to connect to, in all forms that node:net takes: options, a port with its host, either in a list. Without a host it is this machine. */
function hostOf([first, second]: readonly unknown[]): string {
  if (Array.isArray(first)) return hostOf(first);
  const host = typeof first === 'object' && first !== null && 'host' in first ? first.host : second;
  return typeof host === 'string' ? host : 'localhost';
}

/** What a look-up of its name would end with, were the network as a test has to see it. A name that ends in `.invalid` nobody can have (RFC 6761), so it may be tried. */
function errorOf(host: string): NodeJS.ErrnoException {
  if (/\.invalid\.?$/i.test(host)) return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), NOBODY);
  return Object.assign(new Error(`${host} is not on this machine, and no test may leave it`), UNREACHABLE);
}

const NOBODY = { code: 'ENOTFOUND', syscall: 'getaddrinfo' };
const UNREACHABLE = { code: 'ENETUNREACH', syscall: 'connect' };

const told = new URL(import.meta.url).searchParams.get('told');

if (told !== null) {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const host = hostOf(args);
    if (isHere(host)) return Reflect.apply(connect, this, args);
    const error = errorOf(host);
    if (error.code !== NOBODY.code) appendFileSync(told, `${host}, by ${process.argv.slice(1).join(' ')}\n`);
    // Ends as a look-up does that fails, which is what whoever uses the socket is prepared for.
    const lookup: LookupFunction = (_host, _options, end) => end(error, '');
    return Reflect.apply(connect, this, [{ host: 'elsewhere', port: 1, lookup }]);
  };
}
