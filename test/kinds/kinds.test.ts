/** Every kind by its own data: no kind is named here, so a new one is tested as soon as it is in the list. */
import { describe, expect, test } from 'vitest';
import type { Issue } from '../../src/domain/issue.ts';
import { decimalOf } from '../../src/domain/money.ts';
import {
  columnDescriptions,
  isShownByColumns,
  kindFinder,
  kindOfRow,
  kinds,
  markColumns,
  typeColumn,
} from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { CASH, holdColumn } from '../../src/kinds/left-out.ts';
import { airtimePurchase } from '../../src/service/contract/airtime.ts';
import { billPayment } from '../../src/service/contract/bills.ts';
import { paymentOrderLine } from '../../src/service/contract/payment-order.ts';
import type { Draft } from '../../src/service/submissions/index.ts';
import { issueFix, issueMessage } from '../../src/texts/issue-message.ts';
import { currency } from '../support/amounts.ts';
import { type CellChoice, rowViewOf } from '../support/sheets/sheet-rows.ts';

const remitter = {
  name: 'Acme Ltd',
  phoneNumber: '+254700000000',
  country: 'KE',
  sourceOfFunds: 'Business',
  principalActivity: 'Trading',
};
const context = { country: 'KE', currency: currency('KES'), purpose: 'Wages', remitter };

const good = kinds.flatMap((kind) =>
  kind.examples.good.map((example) => [kind.title, example.about, kind, example] as const),
);
const bad = kinds.flatMap((kind) =>
  kind.examples.bad.map((example) => [kind.title, example.about, kind, example] as const),
);
const each = kinds.map((kind) => [kind.title, kind] as const);
/** The kinds that a row without a type can be of, with the column that shows it. */
const marked = kinds.flatMap((kind) => (kind.mark === undefined ? [] : [[kind.title, kind, kind.mark] as const]));
const unmarked = each.filter(([, { mark }]) => mark === undefined);
const goodOfMarked = good.filter(([, , { mark }]) => mark !== undefined);

/** What the service gets of a draft, put where the plan puts it: the contract takes it, or this throws. */
function parsed(draft: Draft | undefined): unknown {
  const ids = { originatorConversationId: 'o' };
  if (draft?.submission === 'airtime') {
    return airtimePurchase.parse({ ...ids, callbackURL: 'u', recipients: [draft.recipient] }).recipients[0];
  }
  if (draft?.submission === 'bill-payment') {
    const settled = { serviceId: 's', transactionType: 2, saveBillerNumber: false, callBackUrl: 'u' };
    return billPayment.parse({ ...ids, ...settled, ...draft.payment });
  }
  if (!draft) throw new Error('the row is payable');
  const { transaction, ...rest } = draft.line;
  const put = { ...transaction, routeId: 'r', channelType: 1, systemTraceAuditNumber: 't' };
  return paymentOrderLine.parse({ ...rest, transaction: put });
}

/** What a draft says in the same place whatever its submission. */
function saidIn(draft: Draft | undefined) {
  if (!draft) return undefined;
  switch (draft.submission) {
    case 'airtime':
      return { name: draft.recipient.name, amount: draft.recipient.amount, purpose: undefined, reference: undefined };
    case 'bill-payment': {
      const { customerNames, amount, narration } = draft.payment;
      return { name: customerNames, amount, purpose: narration, reference: undefined };
    }
    default: {
      const { recipient, transaction } = draft.line;
      return { ...recipient, ...transaction };
    }
  }
}

/** A row that the kind takes: its first good example with some cells replaced. */
function readWith(kind: Kind, cells: Readonly<Record<string, CellChoice | undefined>>) {
  const example = kind.examples.good[0]?.cells ?? {};
  return kind.read(rowViewOf({ ...example, ...cells }), context);
}

const whole = (found: Issue): void => {
  for (const sentence of [issueMessage(found), issueFix(found)]) expect(sentence).not.toMatch(/\{| {2}/);
};

describe('a good example of', () => {
  test.each(good)('%s: %s', (_, __, kind, example) => {
    const { issues, payable } = kind.read(rowViewOf(example.cells), context);
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(payable?.payout).toMatchObject({ kind: kind.name, name: example.cells['name'] });
    expect(payable?.payout.payee.startsWith(`${kind.name}|`)).toBe(true);
    expect(decimalOf(payable?.payout.amount ?? { minor: 0n, currency: context.currency.code })).toBe(
      Number(example.cells['amount']).toFixed(2),
    );
  });

  test.each(goodOfMarked)('%s: %s, is found to be of its kind without a type', (_, __, kind, example) => {
    expect(kindOfRow(rowViewOf(example.cells))).toBe(kind);
  });

  test.each(unmarked)('%s is never found without a type', (_, kind) => {
    expect(isShownByColumns(kind)).toBe(false);
    for (const { cells } of kind.examples.good) expect(kindOfRow(rowViewOf(cells))).not.toBe(kind);
  });

  test.each(good)('%s: %s, makes what the service takes', (_, __, kind, example) => {
    const draft = kind.read(rowViewOf({ ...example.cells, reference: 'R-1' }), context).payable?.draft;
    expect(parsed(draft)).toMatchObject(
      draft?.submission === 'payment-order'
        ? {
            recipient: { name: example.cells['name'], ccy: 404, country: 'KE', purpose: 'Wages' },
            transaction: { amount: Number(example.cells['amount']), reference: 'R-1' },
          }
        : { amount: Number(example.cells['amount']), currencyCode: 'KES' },
    );
    expect(saidIn(draft)).toMatchObject({ name: example.cells['name'], amount: Number(example.cells['amount']) });
    if (draft?.submission === 'payment-order') expect(draft.line.recipient.primaryAccountNumber).not.toBe('');
  });
});

describe('a bad example of', () => {
  test.each(bad)('%s: %s', (_, __, kind, example) => {
    const { issues, payable } = kind.read(rowViewOf(example.cells), context);
    expect(payable).toBeUndefined();
    // What it shows, and nothing else that is wrong.
    expect(issues.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual([example.code]);
    for (const found of issues) whole(found);
  });
});

describe('every kind', () => {
  test('has good and bad examples, and at least six exist', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(6);
    for (const { examples } of kinds) {
      expect(examples.good.length).toBeGreaterThan(0);
      expect(examples.bad.length).toBeGreaterThan(0);
      const shown = [...examples.good, ...examples.bad].map(({ about }) => about);
      expect(new Set(shown).size, 'each says what it shows').toBe(shown.length);
      expect(shown).not.toContain('');
    }
  });

  test.each(each)('%s has columns with ids of their own, and its mark is one that it needs', (_, kind) => {
    const ids = kind.columns.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    if (kind.mark) expect(kind.columns.find(({ id }) => id === kind.mark)?.required).toBe(true);
    if (kind.contact) {
      expect(kind.columns.find(({ id }) => id === kind.contact)?.required).toBe(false);
      expect(markColumns).toContain(kind.contact);
    }
    for (const id of ['reference', 'name', 'amount', 'currency', 'purpose', 'note']) expect(ids).toContain(id);
  });

  test.each(each)('%s takes the examples of its own columns', (_, kind) => {
    const cells = Object.fromEntries(kind.columns.map(({ id, example }) => [id, example]));
    expect(kind.read(rowViewOf(cells), context)).toMatchObject({ issues: [], payable: {} });
  });

  test.each(each)('%s needs each of the columns that it says it needs, and no other', (_, kind) => {
    const cells = Object.fromEntries(kind.columns.map(({ id, example }) => [id, example]));
    for (const { id, required } of kind.columns) {
      const { payable, issues } = kind.read(rowViewOf({ ...cells, [id]: undefined }), context);
      expect(payable === undefined, id).toBe(required);
      if (required) expect(issues.length).toBeGreaterThan(0);
    }
  });

  test.each(each)('%s reads a row of a sheet with few columns as one of a sheet that may have any', (_, kind) => {
    const examples = [...kind.examples.good, ...kind.examples.bad];
    for (const { about, cells } of examples) {
      const has = (column: string): boolean => Object.hasOwn(cells, column);
      const view = rowViewOf(cells);
      expect(kind.readerFor(has)(view, context), about).toEqual(kind.read(view, context));
      expect(kindFinder(has)(view), about).toEqual(kindOfRow(view));
    }
  });

  test.each(each)('%s tells every problem of a row at once', (_, kind) => {
    const cells = Object.fromEntries(kind.columns.map(({ id }) => [id, { type: 'error', text: '#N/A' } as CellChoice]));
    const { issues, payable } = kind.read(rowViewOf(cells), context);
    expect(payable).toBeUndefined();
    expect(issues.map(({ code }) => code)).toEqual(kind.columns.map(() => 'PB-CELL-ERROR'));
    expect(new Set(issues.map(({ cell }) => cell)).size).toBe(kind.columns.length);
    for (const found of issues) whole(found);
  });

  test.each(each)('%s refuses what is merged, never calculated or wrong in any column, needed or not', (_, kind) => {
    const damages: readonly CellChoice[] = [
      { type: 'error', text: '#REF!' },
      { formula: 'missing' },
      { text: kind.examples.good[0]?.cells['amount'] ?? '', merged: true },
      { merged: true },
    ];
    for (const { id } of kind.columns) {
      for (const damage of damages) expect(readWith(kind, { [id]: damage }).payable, id).toBeUndefined();
    }
  });

  test.each(marked)('%s pays another payee when the column that it is marked by changes', (_, kind, markColumn) => {
    const cells = kind.examples.good[0]?.cells ?? {};
    const mark = cells[markColumn] ?? '';
    const other = mark.slice(0, -1) + (mark.endsWith('1') ? '2' : '1');
    const [one, two] = [mark, other].map((text) => readWith(kind, { [markColumn]: text }).payable?.payout);
    expect(one).toBeDefined();
    expect(one?.payee).not.toBe(two?.payee);
    expect(one?.destination).not.toBe(two?.destination);
  });

  test.each(each)('%s pays the same payee whatever the row says besides where the money goes', (_, kind) => {
    const cells = Object.fromEntries(kind.columns.map(({ id, example }) => [id, example]));
    const payeeWith = (id: string, cell: CellChoice | undefined) =>
      kind.read(rowViewOf({ ...cells, [id]: cell }), context).payable?.payout.payee;
    const usual = payeeWith('note', undefined);
    expect(usual).toBeDefined();
    for (const { id, required, decides } of kind.columns) {
      if (decides !== 'payment') expect(payeeWith(id, required ? 'Somebody Else' : undefined), id).toBe(usual);
    }
  });

  test.each(marked)('%s reads the same payee from a text and from a number cell', (_, kind, markColumn) => {
    const mark = kind.examples.good[0]?.cells[markColumn] ?? '';
    const digits = mark.replace(/\D/g, '').replace(/^0/, '') || '1234567';
    const asText = readWith(kind, { [markColumn]: digits }).payable?.payout.payee;
    const asNumber = readWith(kind, { [markColumn]: { type: 'number', text: digits } }).payable?.payout.payee;
    expect(asText).toBeDefined();
    expect(asNumber).toBe(asText);
  });

  test.each(each)(
    '%s carries a name whole up to 64 units of text, as Excel counts them, and never cuts it',
    (_, kind) => {
      const fitting = `${'\u{1f469}'.repeat(31)}Jo`;
      expect(saidIn(readWith(kind, { name: fitting }).payable?.draft)?.name).toBe(fitting);
      const { issues, payable } = readWith(kind, { name: `${fitting}e` });
      expect(issues).toMatchObject([{ code: 'PB-TEXT-LENGTH', parameters: { length: 65, limit: 64 } }]);
      expect(payable).toBeUndefined();
    },
  );

  test.each(each)('%s carries reference, purpose and note, and leaves out what the row leaves out', (_, kind) => {
    const full = readWith(kind, { reference: 'R-9', purpose: 'Rent', note: 'May' }).payable;
    expect(full).toMatchObject({ payout: { reference: 'R-9', note: 'May' } });
    const said = saidIn(full?.draft);
    expect([undefined, 'R-9']).toContain(said?.reference);
    expect([undefined, 'Rent', 'May']).toContain(said?.purpose);
    if (full?.draft?.submission === 'payment-order') expect(said).toMatchObject({ purpose: 'Rent', reference: 'R-9' });
    const bare = readWith(kind, { reference: undefined, note: '\u200b' }).payable;
    expect(bare?.payout).not.toHaveProperty('reference');
    expect(bare?.payout).not.toHaveProperty('note');
    expect(saidIn(bare?.draft)?.reference).toBeUndefined();
    expect([undefined, 'Wages']).toContain(saidIn(bare?.draft)?.purpose);
  });
});

describe('the kind of a row', () => {
  test.each(each)('%s is found by its name, title and words in any case', (_, kind) => {
    for (const word of [kind.name, kind.title, ...kind.words]) {
      for (const text of [word, word.toUpperCase(), ` ${word.replaceAll(' ', '-')} `, `${word}\u200b`]) {
        expect(kindOfRow(rowViewOf({ type: text })), text).toBe(kind);
      }
    }
  });

  test('is never meant by one word twice', () => {
    const folded = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
    const words = kinds.flatMap((kind) => [...new Set([kind.name, kind.title, ...kind.words].map(folded))]);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  });

  test('that is stated wins over what the other columns show', () => {
    for (const [stated, kind] of each) {
      for (const other of kinds) {
        expect(kindOfRow(rowViewOf({ ...other.examples.good[0]?.cells, type: stated }))).toBe(kind);
      }
    }
  });

  test.each(['cash', 'cheque', 'wallet till', '?', '-', 'toString', '0'])('"%s" is not a way of paying', (word) => {
    const found = kindOfRow(rowViewOf({ ...kinds[0]?.examples.good[0]?.cells, type: word }));
    expect(found).toMatchObject({ code: 'PB-TYPE-UNKNOWN', value: word });
    whole(found as Issue);
  });

  test('is unclear when no column shows it, or when two that exclude each other do', () => {
    const empty = kindOfRow(rowViewOf({ name: 'Jane', amount: '5' }));
    expect(empty).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
    whole(empty as Issue);
    for (const [, one, column] of marked) {
      for (const [, two, other] of marked.filter(([, kind]) => kind !== one)) {
        if (one.contact === other || two.contact === column) continue;
        const both = rowViewOf({ ...one.examples.good[0]?.cells, ...two.examples.good[0]?.cells });
        expect(kindOfRow(both), `${column} and ${other}`).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
      }
    }
  });

  test('is the one whose own column is filled, when another column is only a contact beside it', () => {
    const withContact = kinds.filter(({ contact }) => contact !== undefined);
    expect(withContact.length).toBeGreaterThan(0);
    for (const kind of withContact) {
      const contact = kinds.find(({ mark }) => mark === kind.contact);
      const cells = { ...contact?.examples.good[0]?.cells, ...kind.examples.good[0]?.cells };
      expect(kindOfRow(rowViewOf(cells))).toBe(kind);
    }
  });

  test('is unclear for a phone beside an account of which nothing says whose it is', () => {
    const account = { name: 'Nairobi Water', phone: '0712345678', account_number: '0012345', amount: '5' };
    for (const paybill of ['', '-', 'N/A', '0']) {
      const row = rowViewOf({ ...account, paybill_number: paybill });
      expect(kindOfRow(row)).toMatchObject({ code: 'PB-ACCOUNT-ALONE', value: '0012345' });
    }
    const withoutBusinesses = kindFinder((column) => !['paybill_number', 'bill_service', 'bank_code'].includes(column));
    expect(withoutBusinesses(rowViewOf(account))).toHaveProperty('name', 'wallet');
    expect(kindOfRow(rowViewOf({ ...account, type: 'wallet' }))).toHaveProperty('name', 'wallet');
  });

  test('is unclear for a person with a phone and a bank account: money never goes where nobody said', () => {
    const both = { name: 'Jane', phone: '0712345678', bank_code: '68', account_number: '0012345678', amount: '5' };
    expect(kindOfRow(rowViewOf(both))).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
    const ofBank = { ...both, bank_code: '', bank_name: 'Practice Bank' };
    expect(kindOfRow(rowViewOf(ofBank))).toMatchObject({
      code: 'PB-ACCOUNT-ALONE',
      value: '0012345678',
      parameters: { missing: 'bank_code', paid: 'phone' },
    });
    expect(kindFinder((column) => column !== 'bank_code')(rowViewOf(ofBank))).toHaveProperty('name', 'wallet');
    expect(kindOfRow(rowViewOf({ ...both, type: 'EFT' }))).toHaveProperty('name', 'bank');
  });

  test.each<[string, CellChoice, string]>([
    ['merged', { merged: true }, 'PB-MERGED'],
    ['never calculated', { formula: 'missing' }, 'PB-FORMULA-NO-VALUE'],
    ['an error', { type: 'error', text: '#N/A' }, 'PB-CELL-ERROR'],
  ])('is not guessed when the type is %s', (_, type, code) => {
    for (const { examples } of kinds) {
      expect(kindOfRow(rowViewOf({ ...examples.good[0]?.cells, type }))).toMatchObject({ code });
    }
  });
});

describe('the descriptions of all columns', () => {
  const descriptions = columnDescriptions();

  test('are of every column of every kind once, with the type beside them', () => {
    const ids = descriptions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(
      [...new Set([typeColumn.id, holdColumn.id, ...kinds.flatMap((kind) => kind.columns.map(({ id }) => id))])].sort(),
    );
  });

  test('say which kinds need a column and which can use it', () => {
    for (const { id, neededFor, usedFor } of descriptions) {
      if (id === typeColumn.id || id === holdColumn.id) continue;
      for (const kind of kinds) {
        const column = kind.columns.find((own) => own.id === id);
        expect(neededFor.includes(kind.title)).toBe(column?.required === true);
        expect(usedFor.includes(kind.title)).toBe(column?.required === false);
      }
    }
  });

  test('leave no doubt which column a heading means', () => {
    const folded = (text: string): string =>
      text
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, '');
    const headings = descriptions.flatMap(({ id, heading, aliases }) => [
      ...new Set([id, heading, ...aliases].map(folded)),
    ]);
    expect(headings.filter((text, at) => headings.indexOf(text) !== at)).toEqual([]);
    for (const gross of ['gross', 'basic', 'grosspay', 'basicpay', 'totaldeductions'])
      expect(headings).not.toContain(gross);
  });

  test('offer only choices that are understood', () => {
    const type = descriptions.find(({ id }) => id === typeColumn.id);
    expect(type?.choices).toEqual([...kinds.map(({ name }) => name), CASH]);
    for (const choice of type?.choices?.slice(0, -1) ?? [])
      expect(kindOfRow(rowViewOf({ type: choice }))).toHaveProperty('name', choice);
  });
});
