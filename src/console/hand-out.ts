/**
 * Downloads: each file is made in its own private folder, and deleted once it has been sent. A file is always a download,
 * never a page.
 */
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { PACK } from '../audit/pack/pack-name.ts';
import { packBatch } from '../audit/pack/write-pack.ts';
import { Fault } from '../domain/fault.ts';
import { withHidden } from '../domain/shown-text.ts';
import { resultsFormatNames } from '../results/write-results.ts';
import { reportBatch } from '../run/report.ts';
import { validateSheet } from '../run/validate.ts';
import { batchOf } from './batch-lines.ts';
import { requestOf } from './checks.ts';
import { type Routes, rowNumbersIn, type Texts } from './routes.ts';
import { noRow } from './row-page.ts';
import { type ChosenSheet, namedSheet } from './sheet-files.ts';
import type { ConsoleWorld } from './world.ts';

/** Adds the routes of all downloads. */
export function downloadRoutes({ app, world }: Routes): void {
  const download = (route: string, make: (texts: Texts, folder: string) => Promise<string>): void => {
    app.get(route, (ask) => handOut(world.ownFolder, (folder) => make(ask.req.query(), folder)));
  };
  download('/check/copy', async (texts, folder) => markedCopy(await namedSheet(texts, world), world, folder));
  download('/check/sheet', async (texts, folder) => copied(await namedSheet(texts, world), folder));
  download('/template', ({ from = '' }, folder) => peopleOf(from, world, folder));
  download('/results', (texts, folder) => resultsOf(texts, world, folder));
}

async function copied({ file, name }: ChosenSheet, folder: string): Promise<string> {
  const copy = path.join(folder, name);
  await copyFile(file, copy);
  return copy;
}

async function markedCopy(sheet: ChosenSheet, world: ConsoleWorld, outFolder: string): Promise<string> {
  const request = { ...requestOf(sheet, world), copy: true, outFolder };
  const { files, fault } = await validateSheet(request, { settings: world.settings(), emit: () => undefined });
  const copy = files.find(({ kind }) => kind === 'checked');
  if (copy) return copy.path;
  throw fault?.code === 'sheet-refused' || !fault
    ? new Fault('usage', 'There is nothing to mark in this sheet.', 'It can be paid as it is.')
    : fault;
}

/** Writes the people of a batch, or of the latest one, into a sheet to fill in. */
async function peopleOf(named: string, world: ConsoleWorld, folder: string): Promise<string> {
  await using records = await world.records(() => undefined);
  const { ledger } = records.deps;
  const [latest] = named === '' ? await ledger.batches() : [await batchOf(named, ledger)];
  if (latest) return await world.lastPeople(latest, ledger, folder);
  throw new Fault('usage', 'There is no batch yet.', 'Begin with an empty sheet: paybatch template');
}

async function resultsOf(
  { id = '', format: named = 'xlsx', row: numbered }: Texts,
  world: ConsoleWorld,
  folder: string,
): Promise<string> {
  await using records = await world.records(() => undefined);
  const deps = { ...records.deps, emit: () => undefined };
  const batch = await batchOf(id, deps.ledger);
  if (named === PACK) return (await packBatch(batch, { ...deps, version: world.version }, { folder })).path;
  const format = resultsFormatNames.find((one) => one === named);
  if (!format)
    throw new Fault('usage', `"${named}" is no format of results.`, 'Choose one of the list on the page of the batch.');
  const [row] = format === 'evidence' ? rowNumbersIn(numbered) : [];
  if (format === 'evidence' && (row === undefined || !(await deps.ledger.findRow(batch.id, row)))) throw noRow();
  const [file] = await reportBatch(batch, deps, { folder, format, row });
  if (!file) throw new Fault('report-unwritten', 'The results were not written.', `Type: paybatch report ${batch.id}`);
  return file.path;
}

/** Makes a file with `make`, which is given a folder for it, and returns the response that sends the file. */
async function handOut(ownFolder: string, make: (folder: string) => Promise<string>): Promise<Response> {
  const folder = await mkdtemp(path.join(ownFolder, 'handout-'));
  const forget = () => rm(folder, { recursive: true, force: true });
  try {
    const file = await make(folder);
    const handle = await open(file, 'r');
    const { size } = await handle.stat();
    const stream = handle.createReadStream();
    // The stream also closes when the browser ends the download early. What cannot be removed now is removed when the console ends.
    stream.once('close', () => void forget().catch(() => undefined));
    // Node.js and the web declare the same stream differently.
    return new Response(Readable.toWeb(stream) as ReadableStream, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': attachment(path.basename(file)),
      },
    });
  } catch (error) {
    await forget();
    throw error;
  }
}

/** RFC 6266: the UTF-8 name for browsers that understand it, and an ASCII name for the others. */
function attachment(name: string): string {
  const plain = withHidden(name, () => '_').replace(/[^\w. ()-]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
