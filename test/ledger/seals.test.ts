/** The tree over the seals of orders: what is read of it is what was signed, or it is found out. */
import { describe, expect, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import type { LedgerHead } from '../../src/domain/ledger-head.ts';
import type { Reader, Statement } from '../../src/ledger/database.ts';
import { loadAlone } from '../../src/ledger/ending.ts';
import { type OrderSeal, rowsSeal, stateSeal, textsSeal } from '../../src/ledger/order-seal.ts';
import type { SealChange } from '../../src/ledger/seal-change.ts';
import { SealBroken, Seals } from '../../src/ledger/seals.ts';
import { Writer, type WriterOptions } from '../../src/ledger/writer.ts';

/** The table of the tree, as one text a node. */
class Nodes implements Reader {
  readonly kept = new Map<string, Uint8Array>();
  reads = 0;

  async read(_sql: string, values: readonly unknown[] = []) {
    this.reads += 1;
    const slots = this.kept.get(values.join('/'));
    return slots ? [{ slots }] : [];
  }

  /** Keeps what statements write; gives how many there were. */
  write(statements: Iterable<Statement>): number {
    let written = 0;
    for (const { values } of statements) {
      const [level, number, slots] = values;
      this.kept.set(`${level}/${number}`, Uint8Array.from(slots as Uint8Array));
      written += 1;
    }
    return written;
  }
}

const sealOf = (position: number, version = 1): OrderSeal => ({
  version,
  state: stateSeal({ state: `state ${position} ${version}`, lines: '[]' }),
  texts: textsSeal('a batch' as BatchId, { body: `body ${position}`, origin: '' }),
  rows: rowsSeal({ rows: [`row ${position}`], charges: [null] }),
});

async function planted(orders: number) {
  const [nodes, seals] = [new Nodes(), new Seals()];
  await seals.load(nodes, [1]);
  const change = seals.change();
  for (let position = 1; position <= orders; position++) change.planned(position, sealOf(position));
  nodes.write(change.statements());
  seals.keep(change);
  return { nodes, seals };
}

/** Moves an order to its second version. */
async function moved(seals: Seals, nodes: Nodes, position: number): Promise<number> {
  await seals.load(nodes, [position]);
  const change: SealChange = seals.change();
  change.moved(position, sealOf(position, 2));
  const written = nodes.write(change.statements());
  seals.keep(change);
  return written;
}

function reopened({ root }: Seals): Seals {
  const seals = new Seals();
  seals.trust(root);
  return seals;
}

const ORDERS = 200;

describe('the seals of orders', () => {
  test('are found again by whoever knows the root alone', async () => {
    const { nodes, seals } = await planted(ORDERS);
    const again = reopened(seals);
    await again.load(nodes, [1, 64, 65, ORDERS, ORDERS + 1]);
    for (const position of [1, 64, 65, ORDERS]) expect(again.sealOf(position)).toEqual(sealOf(position));
    expect(again.sealOf(ORDERS + 1)).toBeUndefined();
  });

  test('change on one path to the root when one order moves, and what it is made of stays', async () => {
    const { nodes, seals } = await planted(ORDERS);
    const before = seals.root;
    expect(await moved(seals, nodes, 70)).toBe(6);
    expect(seals.root).not.toBe(before);
    const again = reopened(seals);
    await again.load(nodes, [70, 71]);
    expect(again.sealOf(70)).toEqual(sealOf(70, 2));
    expect(again.sealOf(71)).toEqual(sealOf(71));
  });

  test('are read once for neighbours, and once more only when they changed', async () => {
    const { nodes, seals } = await planted(ORDERS);
    const again = reopened(seals);
    await again.load(nodes, [1, 2, 3, 64]);
    expect(nodes.reads).toBe(6);
    await again.load(nodes, [5]);
    expect(nodes.reads).toBe(6);
    await moved(seals, nodes, 5);
    again.trust(seals.root);
    nodes.reads = 0;
    await again.load(nodes, [1]);
    expect(nodes.reads).toBe(6);
    expect(again.sealOf(5)).toEqual(sealOf(5, 2));
  });

  test('go on in another group as if all of them had been planned in one', async () => {
    const [whole, parts] = [await planted(ORDERS), await planted(50)];
    const { seals, nodes } = parts;
    for (const [from, to] of [
      [51, 64],
      [65, 150],
      [151, ORDERS],
    ] as const) {
      const fresh = reopened(seals);
      await fresh.load(nodes, [from]);
      const change = fresh.change();
      for (let position = from; position <= to; position++) {
        change.planned(position, sealOf(position));
        nodes.write(change.full());
      }
      nodes.write(change.statements());
      seals.trust(change.root);
    }
    expect(seals.root).toBe(whole.seals.root);
  });

  test.each(['0/1', '1/0', '2/0', '3/0', '4/0', '5/0'])(
    'of which the node %s has another byte are found out',
    async (place) => {
      const { nodes, seals } = await planted(ORDERS);
      const bytes = nodes.kept.get(place) ?? new Uint8Array();
      for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
        nodes.kept.set(place, bytes.with(at, (bytes[at] ?? 0) ^ 1));
        await expect(reopened(seals).load(nodes, [100])).rejects.toThrow(SealBroken);
      }
      nodes.kept.set(place, bytes);
      await expect(reopened(seals).load(nodes, [100])).resolves.toBeUndefined();
    },
  );

  test('of an earlier day, put back with all that belongs to them, are found out by the root', async () => {
    const { nodes, seals } = await planted(ORDERS);
    const earlier = new Map(nodes.kept);
    await moved(seals, nodes, 100);
    for (const [place, slots] of earlier) nodes.kept.set(place, slots);
    await expect(reopened(seals).load(nodes, [100])).rejects.toThrow('the seal of the orders 1 to');
  });

  test('of which a node is gone are found out', async () => {
    const { nodes, seals } = await planted(ORDERS);
    nodes.kept.delete('0/1');
    await expect(reopened(seals).load(nodes, [65])).rejects.toThrow('the seal of the orders 65 to 128');
    await expect(reopened(seals).load(nodes, [64])).resolves.toBeUndefined();
  });

  test('that were used last are the last to be let go of', async () => {
    const orders = 4200 * 64;
    const { nodes, seals } = await planted(orders);
    const again = reopened(seals);
    for (let position = 1; position <= orders; position += 64) await again.load(nodes, [position]);
    await again.load(nodes, [1]);
    await moved(again, nodes, orders);
    expect(again.has([1, orders])).toBe(true);
    expect(again.has([65])).toBe(false);
  });

  test('of a long plan are not all held until its end', async () => {
    const [nodes, seals] = [new Nodes(), new Seals()];
    await seals.load(nodes, [1]);
    const change = seals.change();
    for (let position = 1; position <= 10_000; position++) {
      change.planned(position, sealOf(position));
      if (position % 500 === 0) nodes.write(change.full());
    }
    expect(change.nodes[0]?.size).toBe(1);
    nodes.write(change.statements());
    expect(change.root).toBe((await planted(10_000)).seals.root);
  });
});

describe('seals that are read while nobody else may append', () => {
  const loading = async (headNow: number) => {
    const { nodes, seals } = await planted(100);
    const proof = { seals: reopened(seals), head: { seq: 7 } as LedgerHead };
    nodes.kept.delete('5/0');
    const database: Reader = {
      read: async (sql, values) => (sql.includes('FROM head') ? [{ seq: BigInt(headNow) }] : nodes.read(sql, values)),
    };
    return loadAlone({ database, proof }, [1]);
  };

  test('and are not those of the root were changed', () =>
    expect(loading(7)).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringContaining('the seal of'),
    }));

  test('and belong to a later root show that the server let others go on: the group is made again', () =>
    expect(loading(8)).rejects.toBeInstanceOf(SealBroken));
});

test('seals that are read while another group of the process goes on to the new root are read again: nobody has changed them', async () => {
  const { nodes, seals } = await planted(100);
  const [ours, head] = [reopened(seals), { seq: 7 }];
  // Another process has moved an order. Its root becomes known here between the read of the nodes and that of the head.
  await moved(seals, nodes, 1);
  let looks = 0;
  const database = {
    async read(sql: string, values?: readonly unknown[]) {
      if (!sql.includes('FROM head')) return nodes.read(sql, values);
      looks += 1;
      ours.trust(seals.root);
      head.seq = 8;
      return [{ seq: 8n }];
    },
  };
  // Whoever loads seals needs nothing else of a writer.
  const writer = new Writer({ database, proof: { seals: ours, head } } as unknown as WriterOptions);
  await writer.loadSeals([1]);
  expect([looks, ours.sealOf(1)]).toEqual([1, sealOf(1, 2)]);
});
