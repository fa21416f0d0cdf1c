/**
 * Decides who may ask the practice service anything. The service listens on this machine, where other users and every web
 * page can reach it too. A web page cannot leave out its Origin, and Host holds the name under which the page was fetched
 * (DNS rebinding). The controls show whole books and change the service, so they also need the token of this start.
 */
import type { Random } from '../domain/clock.ts';
import { sha256 } from '../domain/ids.ts';
import { hexText } from './draw.ts';
import type { Received } from './service.ts';

/** Hexadecimal digits of a control token: 192 bits. */
const CONTROL_TOKEN_DIGITS = 48;

/** Returns a token for the controls, valid until the service is closed. */
export const newControlToken = (random: Random): string => `control-${hexText(random, CONTROL_TOKEN_DIGITS)}`;

/** Reports whether a request may come from a program on this machine that means this service. */
export const isFromHere = ({ host, origin }: Received, port: number): boolean =>
  origin === undefined && ownHosts(port).includes(host?.toLowerCase() ?? '');

/** Returns the service's own hosts as clients write them. Clients leave out port 80. */
const ownHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);

/** Reports whether a request has the control token: `Authorization: Bearer TOKEN`. */
export const mayControl = ({ authorization }: Received, token: string): boolean =>
  isSame(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1], token);

/** Compares hashes, so that the time it takes says nothing about where the texts differ. */
const isSame = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && sha256(given) === sha256(wanted);
