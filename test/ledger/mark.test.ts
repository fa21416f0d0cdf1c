import { copyFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BatchId, batchIdOf, namedBatchKey } from '../../src/domain/ids.ts';
import { type DoubtReason, type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { type Mark, markBeside, ownFiles, readMarks, writeMark } from '../../src/ledger/mark.ts';
import { keysOf, testKeys } from '../support/ledger-keys.ts';
import { acme, holder, type Plan, planOf, TestClock, temporaryPath } from './builders.ts';

const DAY = 86_400_000;

const batchOf = (name: string): BatchId => batchIdOf(namedBatchKey(name));

interface Place {
  readonly path: string;
  readonly markCopy: string;
  /** Whose computer it is. */
  readonly machine?: string;
  /** How much later it is used than any other. */
  readonly ageMs?: number;
}

function newPlace(): Place {
  const path = temporaryPath();
  return { path, markCopy: join(dirname(path), '..', 'marks', 'live.json') };
}

/** What a mark says, without its signature. */
const markIn = (file: string) => JSON.parse(JSON.parse(readFileSync(file, 'utf8')).text);

async function opened(place: Place): Promise<Ledger> {
  const { machine = 'desk', ageMs = 0, path, markCopy } = place;
  const clock = new TestClock();
  await clock.sleep(ageMs);
  const options = { path, markCopy, keys: testKeys, clock, holder: { ...holder(), machine }, isAlive: () => false };
  const ledger = await openLedger(options);
  await ledger.useFor(acme);
  await ledger.takeLease();
  return ledger;
}

/**
 * A whole run of a batch: planned, claimed, and ended. `through`: every order was sent; `andAllElse`: and somebody knows that
 * nothing was sent before.
 */
async function used(
  place: Place,
  { header, blocks }: Plan,
  through: boolean | 'andAllElse' = 'andAllElse',
): Promise<void> {
  const ledger = await opened(place);
  const epoch = await ledger.takeLease();
  await ledger.planBatch(header, blocks);
  await ledger.recordRun(header.id, '0.1.0');
  await ledger.claim(await ledger.unsentOrders(header.id, through ? 100 : 1), 1, epoch, null);
  await ledger.recordStop('finished');
  if (through) await ledger.dispelDoubt(header.id, { andUnnamed: through === 'andAllElse' });
  await ledger.close();
}

async function doubtOf(place: Place, batch: BatchId = batchOf('new')): Promise<DoubtReason | undefined> {
  const ledger = await opened(place);
  try {
    return await ledger.doubt(batch);
  } finally {
    await ledger.close();
  }
}

function removeLedger({ path }: Place): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** A copy of the ledger while nobody has it open. */
function backedUp(place: Place): () => void {
  const copy = `${place.path}.backup`;
  copyFileSync(place.path, copy);
  onTestFinished(() => rmSync(copy, { force: true }));
  return () => {
    removeLedger(place);
    copyFileSync(copy, place.path);
  };
}

describe('a ledger is in doubt', () => {
  test('about each batch while it is new, until that batch is through', async () => {
    const place = newPlace();
    expect(await doubtOf(place)).toBe('new');
    await used(place, planOf({ name: 'first' }), false);
    expect(await doubtOf(place, batchOf('first'))).toBe('new');
    await used(place, planOf({ name: 'second' }), true);
    expect(await doubtOf(place, batchOf('second'))).toBeUndefined();
    expect(await doubtOf(place, batchOf('first'))).toBe('new');
    expect(await doubtOf(place, batchOf('third'))).toBe('new');
  });

  test('about batches that nobody has named for 45 days after its birth, and then about those that it began', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }), false);
    expect(await doubtOf({ ...place, ageMs: 44 * DAY })).toBe('new');
    expect(await doubtOf({ ...place, ageMs: 46 * DAY })).toBeUndefined();
    expect(await doubtOf({ ...place, ageMs: 46 * DAY }, batchOf('first'))).toBe('new');
  });

  test('under whatever way of writing its name', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    removeLedger(place);
    expect(await doubtOf({ ...place, ageMs: 46 * DAY }, batchOf('November'))).toBe('lost');
  });

  test('no more after a batch was through, however often it is opened', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }));
    expect(await doubtOf(place)).toBeUndefined();
    await used(place, planOf({ name: 'second' }), false);
    expect(await doubtOf(place)).toBeUndefined();
    expect(await doubtOf(place, batchIdOf(namedBatchKey('second')))).toBeUndefined();
  });

  test('when it is not the one that was marked', async () => {
    const place = newPlace();
    await used(place, planOf());
    removeLedger(place);
    expect(await doubtOf(place)).toBe('lost');
  });

  test('when its folder is gone with the mark in it', async () => {
    const place = newPlace();
    await used(place, planOf());
    rmSync(dirname(place.path), { recursive: true });
    expect(await doubtOf(place)).toBe('lost');
  });

  test('when it was further at one claim, and is older now', async () => {
    const place = newPlace();
    const plan = planOf({ name: 'first' });
    const restore = await (async () => {
      await used(place, plan, false);
      return backedUp(place);
    })();
    const ledger = await opened(place);
    const epoch = await ledger.takeLease(plan.header.id);
    await ledger.recordRun(plan.header.id, '0.1.0');
    await ledger.claim(await ledger.unsentOrders(plan.header.id, 1), 1, epoch, null);
    await ledger.close();
    restore();
    expect(await doubtOf(place)).toBe('restored');
  });

  test('when it is a copy of the one that was marked, though its marks were copied with it', async () => {
    const place = newPlace();
    await used(place, planOf());
    const folder = join(dirname(place.path), '..');
    const copy = `${folder}-copy`;
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    const there = { path: join(copy, 'state', 'ledger.db'), markCopy: join(copy, 'marks', 'live.json') };
    expect(await doubtOf(place)).toBeUndefined();
    expect(await doubtOf(there)).toBe('copied');
    await used(there, planOf({ name: 'next' }));
    expect(await doubtOf(there, batchOf('next'))).toBeUndefined();
    expect(await doubtOf(there, batchOf('salaries'))).toBe('copied');
  });

  test('when everything was put back from a copy in the same place', async () => {
    const place = newPlace();
    await used(place, planOf());
    const folder = join(dirname(place.path), '..');
    const copy = `${folder}-copy`;
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    await used(place, planOf({ name: 'next' }));
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
    expect(await doubtOf(place)).toBe('copied');
  });

  test('when another computer used it last', async () => {
    const place = newPlace();
    await used(place, planOf());
    expect(await doubtOf({ ...place, machine: 'laptop' })).toBe('copied');
    expect(await doubtOf(place)).toBeUndefined();
  });

  test('not because its mark does not say where it was made', async () => {
    const place = newPlace();
    await used(place, planOf());
    for (const mark of [markBeside(place.path), place.markCopy]) {
      const { machine: _, file: __, ...rest } = JSON.parse(readFileSync(mark, 'utf8'));
      writeFileSync(mark, JSON.stringify(rest));
    }
    expect(await doubtOf(place)).toBeUndefined();
  });

  test('not because its folder has another name', async () => {
    const place = newPlace();
    await used(place, planOf());
    const folder = join(dirname(place.path), '..', 'renamed');
    renameSync(dirname(place.path), folder);
    expect(await doubtOf({ ...place, path: join(folder, 'ledger.db') })).toBeUndefined();
  });

  test('when it has no mark, or one that cannot be read', async () => {
    const place = newPlace();
    await used(place, planOf());
    writeFileSync(place.markCopy, '{"ledger":');
    expect(await doubtOf(place)).toBe('unmarked');
    rmSync(place.markCopy);
    expect(await doubtOf(place)).toBe('unmarked');
    rmSync(markBeside(place.path));
    expect(await doubtOf(place)).toBe('unmarked');
  });

  test.each(['beside', 'copy'] as const)(
    'when it was put back with the mark %s, and the other is gone',
    async (which) => {
      const place = newPlace();
      const [kept, gone] =
        which === 'beside' ? [markBeside(place.path), place.markCopy] : [place.markCopy, markBeside(place.path)];
      await used(place, planOf({ name: 'first' }));
      const restore = backedUp(place);
      const mark = readFileSync(kept);
      await used(place, planOf({ name: 'second' }));
      restore();
      writeFileSync(kept, mark);
      rmSync(gone);
      expect(await doubtOf(place)).toBe('unmarked');
    },
  );
});

describe('a doubt', () => {
  test('about what a lost ledger may have sent outlives the first batch that is through', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    await used(place, planOf({ name: 'december' }));
    removeLedger(place);
    await used(place, planOf({ name: 'small' }));
    expect(await doubtOf(place, batchOf('december'))).toBe('lost');
    await used(place, planOf({ name: 'december' }));
    expect(await doubtOf(place, batchOf('december'))).toBeUndefined();
    expect(await doubtOf(place, batchOf('november'))).toBe('lost');
  });

  test('survives a run that did not come through, also at a second loss', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    removeLedger(place);
    await used(place, planOf({ name: 'december' }), false);
    expect(await doubtOf(place)).toBe('lost');
    removeLedger(place);
    await used(place, planOf({ name: 'small' }));
    expect(await doubtOf(place, batchOf('november'))).toBe('lost');
    expect(await doubtOf(place, batchOf('december'))).toBe('lost');
  });

  test('about a new ledger ends with the word of who knows, and about any other does not', async () => {
    const place = newPlace();
    const vouch = async (): Promise<void> => {
      const ledger = await opened(place);
      await ledger.vouchNew();
      await ledger.close();
    };
    await vouch();
    expect(await doubtOf(place)).toBeUndefined();
    await used(place, planOf());
    removeLedger(place);
    await vouch();
    expect(await doubtOf(place)).toBe('lost');
  });
});

describe('a lost batch', () => {
  const lostIn = async (place: Place): Promise<readonly string[]> => {
    const ledger = await opened(place);
    const lost = await ledger.lostBatches();
    await ledger.close();
    return lost.map(({ id }) => id);
  };

  test('is one that a mark names and the ledger does not have, until its sheet is run again', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    await used(place, planOf({ name: 'december' }));
    expect(await lostIn(place)).toEqual([]);
    removeLedger(place);
    expect(await lostIn(place)).toEqual(['november', 'december']);
    await used(place, planOf({ name: 'december' }), true);
    expect(await lostIn(place)).toEqual(['november']);
  });

  test('is closed by a person, also where the ledger is lost once more', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    removeLedger(place);
    const ledger = await opened(place);
    await ledger.closeLost({ id: batchOf('november'), reason: 'the provider has it', by: 'a@b', at: 1 });
    await ledger.close();
    expect(await lostIn(place)).toEqual([]);
    removeLedger(place);
    expect(await lostIn(place)).toEqual([]);
    expect(await doubtOf(place)).toBe('lost');
  });
});

test('a batch that was closed stays closed when the service shows payments from elsewhere', async () => {
  const place = newPlace();
  await used(place, planOf({ name: 'november' }));
  removeLedger(place);
  const ledger = await opened(place);
  await ledger.closeLost({ id: batchOf('november'), reason: 'the provider has it', by: 'a@b', at: 1 });
  await ledger.suspect();
  expect(await ledger.lostBatches()).toEqual([]);
  expect(await ledger.doubt(batchOf('december'))).toBe('behind');
  await ledger.close();
});

describe('nothing is believed of a ledger', () => {
  test('with both marks of another way than the ledger went, which has come further since', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }));
    const restore = backedUp(place);
    await used(place, planOf({ name: 'second' }));
    const marks = [markBeside(place.path), place.markCopy].map((file) => [file, readFileSync(file)] as const);
    restore();
    await used(place, planOf({ name: 'third', rows: 40 }));
    for (const [file, mark] of marks) writeFileSync(file, mark);
    await expect(doubtOf(place)).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringMatching(/names another fact \d+ than the ledger has/),
    });
  });

  test('with a mark that was changed, or signed with another key', async () => {
    const place = newPlace();
    await used(place, planOf());
    const signed = JSON.parse(readFileSync(place.markCopy, 'utf8'));
    const { ledger } = JSON.parse(signed.text);
    const text = signed.text.replace('"payable":4', '"payable":5');
    expect(text).not.toBe(signed.text);
    const forger = keysOf('another secret').first(ledger);
    const forged = { text, key: forger.name, signature: forger.sign(`paybatch mark 1 ${text}`) };
    for (const mark of [{ ...signed, text }, forged, { ...forged, key: signed.key }]) {
      writeFileSync(place.markCopy, JSON.stringify(mark));
      await expect(doubtOf(place)).rejects.toMatchObject({
        code: 'ledger-unsafe',
        message: expect.stringContaining(`The mark ${place.markCopy} was not signed by the key of this ledger`),
      });
    }
    writeFileSync(place.markCopy, JSON.stringify(signed));
    expect(await doubtOf(place)).toBeUndefined();
  });
});

describe('a mark', () => {
  test('is for its owner alone, names no payee, and leaves no draft behind', async () => {
    const place = newPlace();
    await used(place, planOf());
    for (const file of [markBeside(place.path), place.markCopy]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
      expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.new'))).toEqual([]);
      const { batches, ...rest } = markIn(file);
      expect(batches).toEqual([
        {
          id: 'salaries',
          plannedAt: expect.any(Number),
          payable: expect.any(Number),
          total: expect.stringMatching(/^KES [\d,]+\.\d\d$/),
          first: expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{8}$/)]),
        },
      ]);
      expect(Object.keys(rest).toSorted()).toEqual(['epoch', 'file', 'hash', 'ledger', 'machine', 'seq', 'writes']);
    }
  });

  test('is written whole beside that of a run whose ledger was taken away, and that does not know it yet', async () => {
    const { markCopy: path } = newPlace();
    const [gone, begun] = ['gone', 'begun'].map(
      (ledger): Mark => ({ ledger, epoch: 1, seq: ledger.length, hash: `hash of ${ledger}`, batches: [] }),
    ) as [Mark, Mark];
    const signer = testKeys.first('gone');
    const written = Promise.withResolvers<void>();
    let drafts = 0;
    const rename: typeof ownFiles.rename = async (from, to) => {
      drafts += 1;
      if (drafts === 2) written.resolve();
      await written.promise;
      await ownFiles.rename(from, to);
    };
    await Promise.all([gone, begun].map((mark) => writeMark([path], mark, { files: { ...ownFiles, rename }, signer })));
    const { marks } = await readMarks([path], ownFiles);
    expect([[gone], [begun]]).toContainEqual(marks.map(({ mark }) => mark));
    await writeMark([path], begun, { files: ownFiles, signer });
    expect(await readMarks([path], ownFiles)).toMatchObject({
      marks: [{ mark: begun, key: signer.name }],
      missing: false,
      unreadable: false,
    });
  });

  test('follows the ledger that was put in the place of another, and no run that still has the other open', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }));
    const restore = backedUp(place);
    const begun = async ({ header, blocks }: Plan) => {
      const ledger = await opened(place);
      const epoch = await ledger.takeLease();
      await ledger.planBatch(header, blocks);
      await ledger.recordRun(header.id, '0.1.0');
      return { ledger, claim: async () => ledger.claim(await ledger.unsentOrders(header.id, 1), 1, epoch, null) };
    };
    const without = await begun(planOf({ name: 'second' }));
    restore();
    const { ledger } = await begun(planOf({ name: 'third' }));
    await expect(without.claim()).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
    await without.ledger.close();
    const { header, blocks } = planOf({ name: 'fourth' });
    await ledger.planBatch(header, blocks);
    await ledger.close();
    await expect(doubtOf(place, batchOf('third'))).resolves.toBe('restored');
  });

  test('that cannot be written stops the run before the claim is given out', async () => {
    const place = newPlace();
    const { header, blocks } = planOf();
    const ledger = await opened(place);
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.recordRun(header.id, '0.1.0');
    rmSync(dirname(place.markCopy), { recursive: true });
    writeFileSync(dirname(place.markCopy), 'a file where the folder was');
    const claim = ledger.claim(await ledger.unsentOrders(header.id, 1), 1, epoch, null);
    await expect(claim).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
    await ledger.close();
  });

  test('of claims that are made at once is the last one', async () => {
    const place = newPlace();
    const { header, blocks } = planOf({ rows: 20 });
    const ledger = await opened(place);
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.recordRun(header.id, '0.1.0');
    const orders = await ledger.unsentOrders(header.id, 20);
    await Promise.all(orders.map((order) => ledger.claim([order], 1, epoch, null)));
    let last = 0;
    for await (const { seq } of ledger.facts()) last = seq;
    await ledger.close();
    expect(markIn(place.markCopy)).toMatchObject({ seq: last });
  });
});
