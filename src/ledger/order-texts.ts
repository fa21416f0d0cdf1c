/**
 * The exact bytes of orders and what those were made of, as the tables keep them. Orders of a batch differ in a few words, so each
 * is packed against one of its batch that is kept whole (`packed-text.ts`). What a plan commits to are the texts themselves:
 * whoever reads them holds them against that.
 */
import type { PlannedOrder } from '../domain/batch.ts';
import type { Reader, SqlRow } from './database.ts';
import { type LikeText, likeText, nothingLike, packText, piecesIn, unpackText } from './packed-text.ts';

/** What is read of the tables to unpack the texts of an order `o`. */
export const PACKED_COLUMNS = 'b.alike, b.packed, b.salt';
export const PACKED_TABLES = 'pay_order o JOIN order_body b ON b.position = o.position';

type Texts = Pick<PlannedOrder, 'body' | 'origin'>;

const joined = ({ body, origin }: Texts): string => `${body.length} ${body}${origin}`;

function parted(text: string): Texts {
  const from = text.indexOf(' ') + 1;
  const end = from + Number(text.slice(0, from));
  return { body: text.slice(from, end), origin: text.slice(end) };
}

/** An order in the form of the tables. `alike`: place of the order that it is packed against; null: it is kept whole. */
export interface PackedOrder {
  readonly packed: Uint8Array;
  readonly alike: number | null;
}

/** Orders that are kept whole, while a plan is written; a sheet has so many forms of orders at most, the others are whole. */
const FORMS_MOST = 64;

/** Packs the orders of one plan. */
export class OrderPacking {
  /** By the number of their pieces: orders with as many are of one form, or so nearly that little is their own. */
  readonly #forms = new Map<number, { readonly position: number; readonly like: LikeText }>();

  pack(position: number, texts: Texts): PackedOrder {
    const text = joined(texts);
    const pieces = piecesIn(text);
    const form = this.#forms.get(pieces);
    if (form) return { packed: packText(text, form.like), alike: form.position };
    if (this.#forms.size < FORMS_MOST) this.#forms.set(pieces, { position, like: likeText(text) });
    return { packed: packText(text, nothingLike), alike: null };
  }
}

/** Orders that are kept whole, as each database has shown them: thousands are like one of them. */
const wholes = new WeakMap<Reader, Map<number, LikeText>>();

const WHOLE = 'SELECT packed FROM order_body WHERE position = ?';

/** Reads what the orders of these rows, read with `PACKED_COLUMNS`, are like; gives a way to their texts. */
export async function orderTexts(database: Reader, rows: readonly SqlRow[]): Promise<(row: SqlRow) => Texts> {
  const known = wholes.get(database) ?? new Map<number, LikeText>();
  wholes.set(database, known);
  for (const row of rows) {
    const { alike } = row;
    if (alike === null || known.has(Number(alike))) continue;
    const [whole] = await database.read(WHOLE, [Number(alike)]);
    known.set(Number(alike), wholeIn(whole?.['packed']));
  }
  return (row) => textsOf(row, row['alike'] === null ? nothingLike : (known.get(Number(row['alike'])) ?? nothingLike));
}

/** The order that others are like, from its bytes; nothing is like one that cannot be unpacked. */
export function wholeIn(packed: unknown): LikeText {
  try {
    return likeText(unpackText(packed, nothingLike));
  } catch (error) {
    if (error instanceof SyntaxError) return nothingLike;
    throw error;
  }
}

/** No plan commits to these: what cannot be unpacked was changed, and the proof says so as of any other text. */
const unreadable: Texts = { body: '', origin: '' };

/** The texts of one order; both are empty where the people of its batch were deleted. */
export function textsOf({ packed }: SqlRow, like: LikeText): Texts {
  if (packed === null) return unreadable;
  try {
    return parted(unpackText(packed, like));
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable;
    throw error;
  }
}
