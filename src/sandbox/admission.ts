/**
 * Who may ask the practice service anything. It listens on this machine, where other users and every web page can reach it too:
 * a page cannot leave out its Origin, and the name that it was fetched under is in Host (DNS rebinding). The controls show
 * whole books and change the service, so they want the token of this start as well.
 */
import type { Random } from '../domain/clock.ts';
import { sha256 } from '../domain/ids.ts';
import { hexText } from './draw.ts';
import type { Received } from './service.ts';

/** 192 bits. */
const CONTROL_TOKEN_DIGITS = 48;
const PAGE_KEY_DIGITS = 32;

/** A token for the controls, good until the service is closed. */
export const newControlToken = (random: Random): string => `control-${hexText(random, CONTROL_TOKEN_DIGITS)}`;

/** Whether a request may be from a program of this machine that means this service. */
export const isFromHere = ({ host, origin }: Received, port: number): boolean =>
  origin === undefined && ownHosts(port).includes(host?.toLowerCase() ?? '');

/** As clients write them; a usual port goes without saying. */
const ownHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);

/** Whether a request has the control token: `Authorization: Bearer TOKEN`. */
export const mayControl = ({ authorization }: Received, token: string): boolean =>
  isSame(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1], token);

/** Opens the page of one payer, and nothing else: whoever has the address of the page has it. */
export const pageKey = (token: string, id: string): string => sha256(`${token}|page|${id}`).slice(0, PAGE_KEY_DIGITS);

export const hasPageKey = ({ search }: Received, token: string, id: string): boolean =>
  isSame(new URLSearchParams(search).get('key') ?? undefined, pageKey(token, id));

/** Takes equally long whatever is wrong with it. */
const isSame = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && sha256(given) === sha256(wanted);
