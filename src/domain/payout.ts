/** A payout: one intended payment, checked and blind to its kind. ISO 20022: `CdtTrfTxInf` (pain.001). */
import type { Brand } from './brand.ts';
import type { Money } from './money.ts';

/** Name of a way of paying. The names themselves are known in `kinds/` alone. */
export type KindName = Brand<string, 'KindName'>;

export interface Payout {
  readonly kind: KindName;
  /** The payer's own reference, normalised; undefined when the row has none. ISO 20022: `EndToEndId`. */
  readonly reference?: string;
  /** Who is paid, as the sheet says it; the destination where it has no column of names. */
  readonly name: string;
  /** Where the money goes, for people: `+254712345678`, `Paybill 400200, account 1234`. */
  readonly destination: string;
  /** Kind and destination in normalised form, part of the row's identity. */
  readonly payee: string;
  /** Name of the mobile network, when there is one. */
  readonly network?: string;
  readonly amount: Money;
  /** Free text that goes with the payment. */
  readonly note?: string;
}

/** Whether the sheet names who is paid; a payout that it does not name is called by its destination, and no holder's name can differ. */
export const isNamed = ({ name, destination }: Pick<Payout, 'name' | 'destination'>): boolean => name !== destination;
