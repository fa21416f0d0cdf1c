/**
 * The exact bytes of orders and what those were made of, as the tables keep them. Orders of a batch differ in a few words, so each
 * is packed against one of its batch that is kept whole (`packed-text.ts`). What a plan commits to are the texts themselves:
 * whoever reads them holds them against that.
 */
import type { PlannedOrder } from '../domain/batch.ts';
import { type SqlRow, sameBytes } from './database.ts';
import { type LikeText, likeText, nothingLike, packText, piecesIn, unpackText } from './packed-text.ts';

/** What is read of the tables to unpack the texts of an order `o`: `order_body` of its own, and of the order that it is like. */
export const PACKED_COLUMNS = 'b.packed, b.salt, l.packed AS packed_like';
export const PACKED_TABLES = `pay_order o JOIN order_body b ON b.position = o.position
  LEFT JOIN order_body l ON l.position = b.alike`;

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

/** Orders that are kept whole and were asked for last, the latest first: thousands are like one of them. */
const wholes: { readonly packed: Uint8Array; readonly like: LikeText }[] = [];
const WHOLES_MOST = 4;

function wholeOf(packed: unknown): LikeText {
  if (!(packed instanceof Uint8Array)) return nothingLike;
  const known = wholes.find((one) => sameBytes(packed, one.packed));
  if (known) return known.like;
  const like = likeText(unpackText(packed, nothingLike));
  wholes.unshift({ packed, like });
  wholes.length = Math.min(wholes.length, WHOLES_MOST);
  return like;
}

/** No plan commits to these: what cannot be unpacked was changed, and the proof says so as of any other text. */
const unreadable: Texts = { body: '', origin: '' };

/** The texts of an order, read with `PACKED_COLUMNS`; both are empty where the people of its batch were deleted. */
export function orderTextsIn(row: SqlRow): Texts {
  if (row['packed'] === null) return unreadable;
  try {
    return parted(unpackText(row['packed'], wholeOf(row['packed_like'])));
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable;
    throw error;
  }
}
