/**
 * Where the client secret may go. An address and a secret that stand in one place belong together; whoever can change one of two
 * places alone must not be able to send the secret of the other anywhere.
 */
import { Fault } from '../../domain/fault.ts';

/** Where a setting stands. */
export type Place = 'environment' | 'file';

/** An address as it counts, and where it stands. */
export interface PlacedAddress {
  readonly address: string;
  readonly place: Place;
}

export interface SecretRule {
  readonly profile: string;
  readonly secret: Place;
  /** All addresses that stand in one of the places, also those that another one replaces. */
  readonly addresses: readonly PlacedAddress[];
  /** Origins that somebody said the secret may go to as well. */
  readonly said: readonly string[];
}

/** The words of a message for a place. */
const named: Readonly<Record<Place, string>> = { environment: 'the environment', file: 'the configuration file' };

/** The origins (scheme, host, port) that a secret may go to. */
export const secretOriginsOf = ({ secret, addresses, said }: SecretRule): readonly string[] => [
  ...new Set([...addresses.filter(({ place }) => place === secret).map(({ address }) => originOf(address)), ...said]),
];

/** A Fault `configuration` when one of the addresses that will be used is not among them. */
export function requireSecretOrigins(rule: SecretRule, used: readonly string[]): readonly string[] {
  const allowed = secretOriginsOf(rule);
  const wrong = [...new Set(used.map(originOf))].filter((origin) => !allowed.includes(origin));
  if (wrong.length === 0) return allowed;
  const other: Place = rule.secret === 'file' ? 'environment' : 'file';
  const list = wrong.map((origin) => JSON.stringify(origin)).join(', ');
  throw new Fault(
    'configuration',
    `The client secret stands in ${named[rule.secret]}, and the address ${wrong.join(', ')} only in ${named[other]}. Nothing says that it may go there. Nothing was sent.`,
    `If it may, add "secretOrigins": [${list}] to the profile "${rule.profile}" of the configuration, or set PAYBATCH_SECRET_ORIGINS=${wrong.join(',')}. Else name secret and address in one place.`,
  );
}

/** The origins of a list with commas or blanks between them. */
export const originsIn = (list: string | undefined): readonly string[] =>
  (list ?? '')
    .split(/[\s,]+/)
    .filter((text) => text !== '' && URL.canParse(text))
    .map(originOf);

const originOf = (address: string): string => new URL(address).origin;
