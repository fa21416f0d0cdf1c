import { copyFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { locksBeside } from '../../src/database/file-locks.ts';
import { type BatchId, batchIdOf, namedBatchKey } from '../../src/domain/ids.ts';
import {
  type Checkpoint,
  lockCheckpoint,
  ownFiles,
  readCheckpoint,
  signedCheckpointText,
  writeCheckpoint,
} from '../../src/ledger/checkpoint.ts';
import { keysInFolder } from '../../src/ledger/key-folder.ts';
import { type Ledger, openLedger, type RecoveryReason } from '../../src/ledger/ledger.ts';
import type { LedgerKeys } from '../../src/ledger/signing.ts';
import { keysOf, testKeys } from '../support/ledger-keys.ts';
import { acme, holder, type Plan, planOf, TestClock, temporaryPath } from './builders.ts';

const DAY = 86_400_000;

const batchOf = (name: string): BatchId => batchIdOf(namedBatchKey(name));

interface Place {
  readonly path: string;
  readonly checkpointPath: string;
  readonly keys?: LedgerKeys;
  /** Whose computer it is. */
  readonly machine?: string;
  /** How much later it is used than any other. */
  readonly ageMs?: number;
}

function newPlace(): Place {
  const path = temporaryPath();
  return { path, checkpointPath: join(dirname(path), '..', 'checkpoints', 'live.json') };
}

/** What a checkpoint says, without its signature. */
const markIn = (file: string) => JSON.parse(JSON.parse(readFileSync(file, 'utf8')).text);

const markAt = async (file: string): Promise<Checkpoint | string> => {
  const found = await readCheckpoint(file, ownFiles);
  return typeof found === 'string' ? found : found.checkpoint;
};

/** Puts another checkpoint in the place of one, in the word of the key that signed that. */
function rewrite(file: string, change: (checkpoint: Checkpoint) => object): void {
  const checkpoint: Checkpoint = markIn(file);
  const text = JSON.stringify(change(checkpoint));
  const key = testKeys.first(checkpoint.ledger);
  writeFileSync(file, JSON.stringify({ text, key: key.name, signature: key.sign(signedCheckpointText(text)) }));
}

async function opened(place: Place): Promise<Ledger> {
  const { machine = 'desk', ageMs = 0, keys = testKeys, path, checkpointPath } = place;
  const clock = new TestClock();
  await clock.sleep(ageMs);
  const options = { path, checkpointPath, keys, clock, holder: { ...holder(), machine } };
  const ledger = await openLedger(options);
  try {
    await ledger.useFor(acme);
    await ledger.takeLease();
  } catch (error) {
    await ledger.close();
    throw error;
  }
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
  if (through) await ledger.endRecovery(header.id, { andUnnamed: through === 'andAllElse' });
  await ledger.close();
}

async function reasonOf(place: Place, batch: BatchId = batchOf('new')): Promise<RecoveryReason | undefined> {
  const ledger = await opened(place);
  try {
    return await ledger.recoveryReason(batch);
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

describe('a ledger is in recovery', () => {
  test('about each batch while it is new, until that batch is through', async () => {
    const place = newPlace();
    expect(await reasonOf(place)).toBe('new');
    await used(place, planOf({ name: 'first' }), false);
    expect(await reasonOf(place, batchOf('first'))).toBe('new');
    await used(place, planOf({ name: 'second' }), true);
    expect(await reasonOf(place, batchOf('second'))).toBeUndefined();
    expect(await reasonOf(place, batchOf('first'))).toBe('new');
    expect(await reasonOf(place, batchOf('third'))).toBe('new');
  });

  test('about batches that nobody has named for 45 days after its birth, and then about those that it began', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }), false);
    expect(await reasonOf({ ...place, ageMs: 44 * DAY })).toBe('new');
    expect(await reasonOf({ ...place, ageMs: 46 * DAY })).toBeUndefined();
    expect(await reasonOf({ ...place, ageMs: 46 * DAY }, batchOf('first'))).toBe('new');
  });

  test('under whatever way of writing its name', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    removeLedger(place);
    expect(await reasonOf({ ...place, ageMs: 46 * DAY }, batchOf('November'))).toBe('lost');
  });

  test('no more after a batch was through, however often it is opened', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }));
    expect(await reasonOf(place)).toBeUndefined();
    await used(place, planOf({ name: 'second' }), false);
    expect(await reasonOf(place)).toBeUndefined();
    expect(await reasonOf(place, batchIdOf(namedBatchKey('second')))).toBeUndefined();
  });

  test('when it is not the one of the checkpoint', async () => {
    const place = newPlace();
    await used(place, planOf());
    removeLedger(place);
    expect(await reasonOf(place)).toBe('lost');
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
    expect(await reasonOf(place)).toBe('restored');
  });

  test('when it was put back, and has come further than its checkpoint since without a run: that is no second history', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }));
    const restore = backedUp(place);
    await used(place, planOf({ name: 'second' }));
    const { seq } = markIn(place.checkpointPath);
    restore();
    const { header, blocks } = planOf({ name: 'third', rows: 40 });
    const ledger = await opened(place);
    await ledger.planBatch(header, blocks);
    expect((await ledger.head())?.seq).toBeGreaterThan(seq);
    await ledger.close();
    expect(await reasonOf(place)).toBe('restored');
    expect(await reasonOf(place, batchOf('second'))).toBe('restored');
  });

  test('when it is a copy of the one of the checkpoint, though its checkpoint was copied with it', async () => {
    const place = newPlace();
    await used(place, planOf());
    const folder = join(dirname(place.path), '..');
    const copy = `${folder}-copy`;
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    const there = { path: join(copy, 'state', 'ledger.db'), checkpointPath: join(copy, 'checkpoints', 'live.json') };
    expect(await reasonOf(place)).toBeUndefined();
    expect(await reasonOf(there)).toBe('copied');
    await used(there, planOf({ name: 'next' }));
    expect(await reasonOf(there, batchOf('next'))).toBeUndefined();
    expect(await reasonOf(there, batchOf('salaries'))).toBe('copied');
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
    expect(await reasonOf(place)).toBe('copied');
  });

  test('when another computer used it last', async () => {
    const place = newPlace();
    await used(place, planOf());
    expect(await reasonOf({ ...place, machine: 'laptop' })).toBe('copied');
    expect(await reasonOf(place)).toBeUndefined();
  });

  test('not because its checkpoint does not say where it was made', async () => {
    const place = newPlace();
    await used(place, planOf());
    rewrite(place.checkpointPath, ({ machine: _, file: __, ...rest }) => rest);
    expect(await reasonOf({ ...place, machine: 'laptop' })).toBeUndefined();
  });

  test('not because its folder has another name', async () => {
    const place = newPlace();
    await used(place, planOf());
    const folder = join(dirname(place.path), '..', 'renamed');
    renameSync(dirname(place.path), folder);
    expect(await reasonOf({ ...place, path: join(folder, 'ledger.db') })).toBeUndefined();
  });

  test.each([
    ['no JSON', '{"ledger":'],
    ['no checkpoint', '{"text":"{}","key":"a key","signature":""}'],
    ['empty', ''],
  ])('when its checkpoint cannot be read, because it is %s', async (_, content) => {
    const place = newPlace();
    await used(place, planOf());
    writeFileSync(place.checkpointPath, content);
    expect(await reasonOf(place)).toBe('no-checkpoint');
  });
});

/** A state folder: the profile's own folder with the ledger, and the checkpoint outside of it; the keys are elsewhere. */
interface Office extends Place {
  readonly home: string;
  readonly keysFolder: string;
}

function newOffice(): Office {
  const place = newPlace();
  const home = dirname(dirname(place.path));
  const keysFolder = `${home}-keys`;
  onTestFinished(() => rmSync(keysFolder, { recursive: true, force: true }));
  return { ...place, home, keysFolder, keys: keysInFolder(keysFolder) };
}

const GONE = { recursive: true, force: true } as const;

/** What is lost, and why the ledger that is opened next is in recovery: a reason, or the code of its refusal. */
const losses: readonly (readonly [string, (office: Office) => void, string])[] = [
  ['nothing', () => undefined, 'trusted'],
  ['the ledger alone', removeLedger, 'lost'],
  ['the checkpoint alone', ({ checkpointPath }) => rmSync(checkpointPath), 'no-checkpoint'],
  ['the folder of all checkpoints', ({ checkpointPath }) => rmSync(dirname(checkpointPath), GONE), 'no-checkpoint'],
  ['the key alone', ({ keysFolder }) => rmSync(keysFolder, GONE), 'configuration'],
  [
    'the key and the checkpoint',
    ({ keysFolder, checkpointPath }) => {
      rmSync(keysFolder, GONE);
      rmSync(checkpointPath);
    },
    'configuration',
  ],
  [
    'the key and the ledger',
    (office) => {
      rmSync(office.keysFolder, GONE);
      removeLedger(office);
    },
    'lost',
  ],
  [
    'the ledger and the checkpoint',
    (office) => {
      removeLedger(office);
      rmSync(office.checkpointPath);
    },
    'new',
  ],
  ['the folder of the profile', ({ path }) => rmSync(dirname(path), GONE), 'lost'],
  ['the whole state folder', ({ home }) => rmSync(home, GONE), 'new'],
];

/** What is put back, from before the last batch, and why the ledger is in recovery then. */
const putBack: readonly (readonly [string, (backup: string, office: Office) => void, string])[] = [
  ['the ledger alone', (backup, { path }) => copyOver(join(backup, 'state', 'ledger.db'), path), 'restored'],
  [
    'the checkpoint alone',
    (backup, { checkpointPath }) => copyOver(join(backup, 'checkpoints', 'live.json'), checkpointPath),
    'no-checkpoint',
  ],
  ['the folder of the profile', (backup, { path }) => folderOver(join(backup, 'state'), dirname(path)), 'restored'],
  [
    'the folder of the profile, and the checkpoint is lost',
    (backup, { path, checkpointPath }) => {
      folderOver(join(backup, 'state'), dirname(path));
      rmSync(checkpointPath);
    },
    'no-checkpoint',
  ],
  ['the whole state folder, as a copy', (backup, { home }) => folderOver(backup, home), 'copied'],
  [
    'the whole state folder, as a disk that is put back to a snapshot: the service alone can tell',
    (backup, { path, checkpointPath }) => {
      writeFileSync(path, readFileSync(join(backup, 'state', 'ledger.db')));
      writeFileSync(checkpointPath, readFileSync(join(backup, 'checkpoints', 'live.json')));
    },
    'trusted',
  ],
];

/** A run that has nothing to send any more. */
async function runOnce(place: Place, { header: { id } }: Plan): Promise<void> {
  const ledger = await opened(place);
  await ledger.takeLease(id);
  await ledger.recordRun(id, '0.1.0');
  await ledger.recordStop('finished');
  await ledger.close();
}

function copyOver(from: string, to: string): void {
  rmSync(to);
  for (const suffix of ['-wal', '-shm']) rmSync(to + suffix, { force: true });
  copyFileSync(from, to);
}

function folderOver(from: string, to: string): void {
  rmSync(to, GONE);
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

/** About a batch that it began. */
async function foundOut(office: Office): Promise<string> {
  try {
    return (await reasonOf(office, batchOf('first'))) ?? 'trusted';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('a ledger that has paid two batches', () => {
  test.each(losses)('and of which is lost: %s', async (_, lose, expected) => {
    const office = newOffice();
    await used(office, planOf({ name: 'first' }));
    await used(office, planOf({ name: 'second' }));
    lose(office);
    expect(await foundOut(office)).toBe(expected);
    // Who looks changes nothing of it.
    expect(await foundOut(office)).toBe(expected);
  });

  test('and whose checkpoint says something that this version does not know: it may be a reason to look first', async () => {
    const office = newOffice();
    await used(office, planOf({ name: 'first' }));
    const checkpoint = markIn(office.checkpointPath);
    const text = JSON.stringify({ ...checkpoint, doubt: { why: 'restored' } });
    const key = keysInFolder(office.keysFolder).first(checkpoint.ledger);
    const signature = key.sign(signedCheckpointText(text));
    writeFileSync(office.checkpointPath, JSON.stringify({ text, key: key.name, signature }));
    expect(await foundOut(office)).toBe('no-checkpoint');
  });

  test.each(putBack)('and of which is put back to before the second: %s', async (_, restore, expected) => {
    const office = newOffice();
    await used(office, planOf({ name: 'first' }));
    const backup = `${office.home}-backup`;
    onTestFinished(() => rmSync(backup, GONE));
    cpSync(office.home, backup, { recursive: true, preserveTimestamps: true });
    await used(office, planOf({ name: 'second' }));
    restore(backup, office);
    expect(await foundOut(office)).toBe(expected);
  });

  test('and of which the checkpoint is put back to before a run that sent nothing is in recovery, because that run may have found something out', async () => {
    const office = newOffice();
    await used(office, planOf({ name: 'first' }));
    const checkpoint = readFileSync(office.checkpointPath);
    await runOnce(office, planOf({ name: 'first' }));
    writeFileSync(office.checkpointPath, checkpoint);
    expect(await foundOut(office)).toBe('no-checkpoint');
    // The next run writes a checkpoint of its own, and recovery lasts until its batch is through.
    await runOnce(office, planOf({ name: 'first' }));
    expect(await foundOut(office)).toBe('no-checkpoint');
  });

  test('and whose last run died before it could checkpoint anything: nothing has left since, so it is trusted', async () => {
    const office = newOffice();
    await used(office, planOf({ name: 'first' }));
    const checkpoint = readFileSync(office.checkpointPath);
    for (let kills = 0; kills < 2; kills += 1) {
      const ledger = await opened(office);
      await ledger.takeLease(batchOf('first'));
      await ledger.recordRun(batchOf('first'), '0.1.0');
      await ledger.close();
      writeFileSync(office.checkpointPath, checkpoint);
    }
    expect(await foundOut(office)).toBe('trusted');
  });
});

describe('a recovery', () => {
  test('about what a lost ledger may have sent outlives the first batch that is through', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    await used(place, planOf({ name: 'december' }));
    removeLedger(place);
    await used(place, planOf({ name: 'small' }));
    expect(await reasonOf(place, batchOf('december'))).toBe('lost');
    await used(place, planOf({ name: 'december' }));
    expect(await reasonOf(place, batchOf('december'))).toBeUndefined();
    expect(await reasonOf(place, batchOf('november'))).toBe('lost');
  });

  test('survives a run that did not come through, also at a second loss', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'november' }));
    removeLedger(place);
    await used(place, planOf({ name: 'december' }), false);
    expect(await reasonOf(place)).toBe('lost');
    removeLedger(place);
    await used(place, planOf({ name: 'small' }));
    expect(await reasonOf(place, batchOf('november'))).toBe('lost');
    expect(await reasonOf(place, batchOf('december'))).toBe('lost');
  });

  test('about a new ledger ends with the word of who knows, and about any other does not', async () => {
    const place = newPlace();
    const vouch = async (): Promise<void> => {
      const ledger = await opened(place);
      await ledger.trustNew();
      await ledger.close();
    };
    await vouch();
    expect(await reasonOf(place)).toBeUndefined();
    await used(place, planOf());
    removeLedger(place);
    await vouch();
    expect(await reasonOf(place)).toBe('lost');
  });
});

describe('a lost batch', () => {
  const lostIn = async (place: Place): Promise<readonly string[]> => {
    const ledger = await opened(place);
    const lost = await ledger.lostBatches();
    await ledger.close();
    return lost.map(({ id }) => id);
  };

  test('is one that a checkpoint names and the ledger does not have, until its sheet is run again', async () => {
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
    expect(await reasonOf(place)).toBe('lost');
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
  expect(await ledger.recoveryReason(batchOf('december'))).toBe('behind');
  await ledger.close();
});

describe('nothing is believed of a ledger', () => {
  test('with the checkpoint of another way than the ledger went, which has come further since', async () => {
    const place = newPlace();
    await used(place, planOf({ name: 'first' }));
    const restore = backedUp(place);
    await used(place, planOf({ name: 'second' }));
    const checkpoint = readFileSync(place.checkpointPath);
    restore();
    await used(place, planOf({ name: 'third', rows: 40 }));
    writeFileSync(place.checkpointPath, checkpoint);
    await expect(reasonOf(place)).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringMatching(/names another fact \d+ than the ledger has/),
    });
  });

  test('with a checkpoint that was changed, or signed with another key', async () => {
    const place = newPlace();
    await used(place, planOf());
    const signed = JSON.parse(readFileSync(place.checkpointPath, 'utf8'));
    const { ledger } = JSON.parse(signed.text);
    const text = signed.text.replace('"payable":4', '"payable":5');
    expect(text).not.toBe(signed.text);
    const forger = keysOf('another secret').first(ledger);
    const forged = { text, key: forger.name, signature: forger.sign(`paybatch checkpoint 1 ${text}`) };
    for (const checkpoint of [{ ...signed, text }, forged, { ...forged, key: signed.key }]) {
      writeFileSync(place.checkpointPath, JSON.stringify(checkpoint));
      await expect(reasonOf(place)).rejects.toMatchObject({
        code: 'ledger-unsafe',
        message: expect.stringContaining(
          `The checkpoint ${place.checkpointPath} was not signed by the key of this ledger`,
        ),
      });
    }
    writeFileSync(place.checkpointPath, JSON.stringify(signed));
    expect(await reasonOf(place)).toBeUndefined();
  });
});

describe('a checkpoint', () => {
  test('is for its owner alone, names no payee, and leaves no draft behind', async () => {
    const place = newPlace();
    await used(place, planOf());
    const { path, checkpointPath } = place;
    expect(statSync(checkpointPath).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(checkpointPath)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(checkpointPath)).toSorted()).toEqual(['live.json', 'live.lock']);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('checkpoint'))).toEqual([]);
    const { batches, ...rest } = markIn(checkpointPath);
    expect(batches).toEqual([
      {
        id: 'salaries',
        plannedAt: expect.any(Number),
        payable: expect.any(Number),
        total: expect.stringMatching(/^KES [\d,]+\.\d\d$/),
        first: expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{8}$/)]),
      },
    ]);
    const fields = ['closed', 'epoch', 'file', 'hash', 'ledger', 'machine', 'seq', 'writes'];
    expect(Object.keys(rest).toSorted()).toEqual(fields);
  });

  test('is written whole beside that of a run whose ledger was taken away, and that does not know it yet', async () => {
    const { checkpointPath: path } = newPlace();
    const [gone, begun] = ['gone', 'begun'].map(
      (ledger): Checkpoint => ({
        ledger,
        epoch: 1,
        seq: ledger.length,
        hash: `hash of ${ledger}`,
        writes: 1,
        batches: [],
        closed: [],
      }),
    ) as [Checkpoint, Checkpoint];
    const signer = testKeys.first('gone');
    const written = Promise.withResolvers<void>();
    let drafts = 0;
    const rename: typeof ownFiles.rename = async (from, to) => {
      drafts += 1;
      if (drafts === 2) written.resolve();
      await written.promise;
      await ownFiles.rename(from, to);
    };
    await Promise.all(
      [gone, begun].map((checkpoint) => writeCheckpoint(path, checkpoint, { files: { ...ownFiles, rename }, signer })),
    );
    expect([gone, begun]).toContainEqual(await markAt(path));
    await writeCheckpoint(path, begun, { files: ownFiles, signer });
    expect(await readCheckpoint(path, ownFiles)).toMatchObject({ checkpoint: begun, key: signer.name });
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
    // The whole folder was put back.
    rmSync(locksBeside(place.path), { recursive: true });
    const { ledger } = await begun(planOf({ name: 'third' }));
    await expect(without.claim()).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
    await without.ledger.close();
    const { header, blocks } = planOf({ name: 'fourth' });
    await ledger.planBatch(header, blocks);
    await ledger.close();
    await expect(reasonOf(place, batchOf('third'))).resolves.toBe('restored');
  });

  test('that cannot be written stops the run before the claim is given out', async () => {
    const place = newPlace();
    const { header, blocks } = planOf();
    const ledger = await opened(place);
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.recordRun(header.id, '0.1.0');
    rmSync(dirname(place.checkpointPath), { recursive: true });
    writeFileSync(dirname(place.checkpointPath), 'a file where the folder was');
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
    expect(markIn(place.checkpointPath)).toMatchObject({ seq: last });
  });

  // Whatever the disk does in the middle of writing, the file holds one of the two whole.
  test.each([
    ['no draft can be opened', 'open'],
    ['the draft is not written', 'writeFile'],
    ['the draft is not synced', 'sync'],
    ['the draft gets no name', 'rename'],
    ['the name is not synced', 'syncFolder'],
  ])('is the old or the new one where %s, and the run sends nothing more', async (_, fails) => {
    const place = newPlace();
    await used(place, planOf());
    const old = await markAt(place.checkpointPath);
    const next: Checkpoint = { ...markIn(place.checkpointPath), seq: 99 };
    const broken = () => Promise.reject(new Error('no space left on device'));
    const files = {
      ...ownFiles,
      ...(fails !== 'writeFile' && fails !== 'sync' && { [fails]: broken }),
      open: async (...given: Parameters<typeof ownFiles.open>) => {
        if (fails === 'open') return broken();
        const draft = await ownFiles.open(...given);
        return { ...draft, ...((fails === 'writeFile' || fails === 'sync') && { [fails]: broken }) };
      },
    };
    const signer = testKeys.first(next.ledger);
    await expect(writeCheckpoint(place.checkpointPath, next, { files, signer })).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringContaining(`${place.checkpointPath}: no space left on device`),
    });
    expect([old, next]).toContainEqual(await markAt(place.checkpointPath));
  });

  test('is rewritten by a run whose checkpoint was taken away beneath it, with all that it said', async () => {
    const place = newPlace();
    const { header, blocks } = planOf({ rows: 20 });
    const ledger = await opened(place);
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.recordRun(header.id, '0.1.0');
    const before = markIn(place.checkpointPath);
    rmSync(dirname(place.checkpointPath), { recursive: true });
    await ledger.claim(await ledger.unsentOrders(header.id, 1), 1, epoch, null);
    const { seq, writes, hash: _, ...after } = markIn(place.checkpointPath);
    expect(after).toEqual(expect.objectContaining({ batches: before.batches, recovery: before.recovery }));
    expect([seq > before.seq, writes]).toEqual([true, before.writes + 1]);
    await ledger.close();
  });
});

describe('the lock of a checkpoint', () => {
  test('that somebody has who stands still is waited for, and then said to be held: nothing is wrong with the ledger', async () => {
    const { checkpointPath } = newPlace();
    const lockPath = join(dirname(checkpointPath), 'live.lock');
    ownFiles.prepareFolder(dirname(checkpointPath));
    using _ = ownFiles.hold(lockPath);
    const clock = new TestClock();
    const began = clock.monotonicMs();
    await expect(lockCheckpoint(checkpointPath, { files: ownFiles, clock })).rejects.toMatchObject({
      code: 'ledger-held',
      exit: 75,
      message: expect.stringContaining('is writing the checkpoint of the ledger, and has made no progress for 30 s'),
      remedy: expect.stringContaining(lockPath),
    });
    expect(clock.monotonicMs() - began).toBeGreaterThanOrEqual(30_000);
  });
});
