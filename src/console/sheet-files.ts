/** Which sheet a page is about: one below the folder in which the console was started, or one that was dropped on a page. */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';
import { withHidden } from '../domain/shown-text.ts';
import { isInside } from '../files/inside.ts';

/**
 * Most bytes of a dropped sheet, which is in memory until it is on disk. A hundred thousand rows take 8 MB. A larger sheet can be
 * chosen from the folder, from which it is read piece by piece.
 */
export const UPLOAD_BYTES_MAX = 33_554_432;
/** Most dropped sheets that are kept; the oldest is deleted. */
const UPLOADS_MAX = 20;
/** Most files of a folder that are listed. */
export const LISTED_MAX = 500;
const NAME_CHARACTERS_MAX = 120;

const SHEET = /\.(?:xlsx|csv)$/i;
/** The form of an upload's id in addresses. */
const UPLOAD_ID = /^[\w-]{16}$/;

/** A sheet as an address names it. */
export interface SheetQuery {
  /** Path below the folder of the console, with `/` between its parts. */
  readonly file?: string | undefined;
  readonly upload?: string | undefined;
  readonly worksheet?: string | undefined;
}

export interface ChosenSheet {
  /** Absolute path, with links resolved. */
  readonly file: string;
  readonly name: string;
  /**
   * Path below the folder of the console, as a command names it; absent for a dropped sheet and for a copy, which only the console
   * has: in the folder, the same name is another file.
   */
  readonly path?: string;
  readonly worksheet?: string;
  /** The query that names the sheet in an address. */
  readonly query: Readonly<Record<string, string>>;
}

/** The folders in which sheets are looked for; both absolute, with links resolved. */
interface SheetPlaces {
  readonly folder: string;
  readonly ownFolder: string;
}

const notThere = (name: string): Fault =>
  new Fault(
    'usage',
    `There is no sheet "${name}" below the folder in which the console was started.`,
    'Choose one of the list, or drop the file on the page. Nothing was sent.',
  );

/**
 * The sheet that an address names; `undefined` if it names none. Throws a Fault `usage` if the file does not exist or must not be
 * read.
 */
export async function chosenSheet(query: SheetQuery, places: SheetPlaces): Promise<ChosenSheet | undefined> {
  const worksheet = query.worksheet || undefined;
  const read = worksheet === undefined ? {} : { worksheet };
  if (query.upload) {
    const file = await uploadOf(query.upload, places);
    return { file, name: path.basename(file), ...read, query: { upload: query.upload, ...read } };
  }
  if (!query.file) return undefined;
  const file = await fileBelow(places.folder, query.file);
  if (file === undefined || !SHEET.test(file)) throw notThere(query.file);
  return { file, name: path.basename(file), path: query.file, ...read, query: { file: query.file, ...read } };
}

/** Like `chosenSheet`, but throws a Fault `usage` if no sheet is named. */
export async function namedSheet({ file, upload, worksheet }: SheetQuery, places: SheetPlaces): Promise<ChosenSheet> {
  const sheet = await chosenSheet({ file, upload, worksheet }, places);
  if (sheet) return sheet;
  throw new Fault(
    'usage',
    'No sheet was chosen. Nothing was changed or sent.',
    'Choose one of the list on the page Check, or drop a file there.',
  );
}

/**
 * Another file below the folder, with links resolved, such as a key, which is never sent to the console. Throws a Fault `usage`
 * if it does not exist or must not be read.
 */
export async function chosenFile(
  named: string,
  { folder }: Pick<SheetPlaces, 'folder'>,
  what: string,
): Promise<string> {
  const file = named.trim() === '' ? undefined : await fileBelow(folder, named);
  if (file !== undefined) return file;
  throw new Fault(
    'usage',
    `There is no ${what} "${named}" below the folder in which the console was started.`,
    `Put it there, or start the console in a folder above it. Nothing was signed or sent.`,
  );
}

/** Resolves a path below a folder, following links; `undefined` if it leads out of the folder or does not exist. */
async function below(folder: string, named: string): Promise<string | undefined> {
  if (path.isAbsolute(named) || path.win32.isAbsolute(named)) return undefined;
  const found = await realpath(path.join(folder, named)).catch(() => undefined);
  return found !== undefined && isInside(folder, found) ? found : undefined;
}

/** Like `below`, but also `undefined` if it is not a file. */
async function fileBelow(folder: string, named: string): Promise<string | undefined> {
  const found = await below(folder, named);
  return found !== undefined && (await stat(found)).isFile() ? found : undefined;
}

/** A file below the folder of the console. */
interface ListedFile {
  /** Path below the folder, with `/` between its parts. */
  readonly file: string;
  readonly name: string;
  readonly changedAt: number;
}

/** What lies in a folder: nothing hidden, and nothing that a link leads out of the folder of the console. */
export interface FolderList {
  /** Path below the folder of the console; empty for that folder itself. */
  readonly at: string;
  readonly folders: readonly string[];
  /** The latest first. */
  readonly files: readonly ListedFile[];
  /** The folder holds more entries than are listed. */
  readonly isCut: boolean;
}

async function listOf({ folder }: Pick<SheetPlaces, 'folder'>, at: string): Promise<FolderList> {
  const place = await below(folder, at);
  if (place === undefined) throw notThere(at);
  const entries = (await readdir(place).catch(() => [])).filter((name) => !/^(?:\.|~\$)/.test(name)).sort();
  const folders: string[] = [];
  const files: ListedFile[] = [];
  for (const name of entries.slice(0, LISTED_MAX)) {
    const file = at === '' ? name : `${at}/${name}`;
    const found = await below(folder, file);
    const stats = found === undefined ? undefined : await stat(found).catch(() => undefined);
    if (stats?.isDirectory()) folders.push(file);
    else if (stats?.isFile()) files.push({ file, name, changedAt: stats.mtimeMs });
  }
  return { at, folders, files: files.sort(byLatest), isCut: entries.length > LISTED_MAX };
}

const byLatest = (one: ListedFile, other: ListedFile): number => other.changedAt - one.changedAt;

/** Paths of the files with this ending, in the folder and its direct subfolders, latest first. */
export async function filesEnding(ending: string, places: Pick<SheetPlaces, 'folder'>): Promise<readonly string[]> {
  const top = await listOf(places, '');
  const lists = [top];
  for (const folder of top.folders) if (folder !== 'node_modules') lists.push(await listOf(places, folder));
  const files = lists.flatMap((list) => list.files).filter(({ name }) => name.endsWith(ending));
  return files.sort(byLatest).map(({ file }) => file);
}

/** Lists what can be chosen in a folder; results of paybatch are not sheets. */
export async function sheetsIn(places: SheetPlaces, at: string): Promise<FolderList> {
  const list = await listOf(places, at);
  const isSheet = ({ name }: ListedFile): boolean => SHEET.test(name) && !/\.results\.(?:xlsx|csv)$/i.test(name);
  return { ...list, files: list.files.filter(isSheet) };
}

const uploadsOf = ({ ownFolder }: SheetPlaces): string => path.join(ownFolder, 'uploads');

/**
 * Stores a dropped sheet, readable only by its user, and returns its id for addresses. Throws a Fault `usage` if the file is not
 * a sheet.
 */
export async function keepUpload(dropped: File, places: SheetPlaces): Promise<string> {
  const name = plainName(dropped.name);
  if (!SHEET.test(name) || dropped.size === 0)
    throw new Fault(
      'usage',
      dropped.size === 0 ? 'No file was chosen, or it is empty.' : `"${name}" is no payout sheet.`,
      'Choose a workbook (.xlsx) or a CSV file. Nothing was sent.',
    );
  const { id, folder } = await newUpload(places);
  await writeFile(path.join(folder, name), Buffer.from(await dropped.arrayBuffer()), { mode: 0o600, flag: 'wx' });
  await forgetOldest(uploadsOf(places));
  return id;
}

async function newUpload(places: SheetPlaces): Promise<{ readonly id: string; readonly folder: string }> {
  const id = randomBytes(12).toString('base64url');
  const folder = path.join(uploadsOf(places), id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { id, folder };
}

/**
 * Stores a copy of a sheet as if it had been dropped, and returns its id for addresses. `make` writes the copy into the given
 * folder and returns its path. `upload`: the id of the copy that it replaces, atomically and under the same name.
 */
export async function keepCopy(
  make: (folder: string) => Promise<string>,
  places: SheetPlaces,
  upload?: string,
): Promise<string> {
  const folder = await mkdtemp(path.join(places.ownFolder, 'copy-'));
  try {
    const file = await make(folder);
    if (upload !== undefined) {
      await rename(file, await uploadOf(upload, places));
      return upload;
    }
    const kept = await newUpload(places);
    await rename(file, path.join(kept.folder, path.basename(file)));
    await forgetOldest(uploadsOf(places));
    return kept.id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file name that is valid on every system and contains no invisible characters. */
function plainName(given: string): string {
  const last =
    withHidden(given, () => '')
      .split(/[/\\:]/)
      .at(-1) ?? '';
  const ending = SHEET.exec(last)?.[0] ?? '';
  const stem = last
    .slice(0, last.length - ending.length)
    .replace(/[<>"|?*]/g, '_')
    .replace(/^[.\s]+/, '');
  return `${stem.slice(0, NAME_CHARACTERS_MAX) || 'sheet'}${ending}`;
}

async function forgetOldest(uploads: string): Promise<void> {
  const kept = await Promise.all(
    (await readdir(uploads)).map(async (id) => ({ id, at: (await stat(path.join(uploads, id))).mtimeMs })),
  );
  kept.sort((one, other) => other.at - one.at);
  for (const { id } of kept.slice(UPLOADS_MAX)) await rm(path.join(uploads, id), { recursive: true, force: true });
}

async function uploadOf(id: string, places: SheetPlaces): Promise<string> {
  const folder = path.join(uploadsOf(places), id);
  const [name] = UPLOAD_ID.test(id) ? await readdir(folder).catch(() => []) : [];
  if (name !== undefined) return path.join(folder, name);
  throw new Fault('usage', 'The sheet that was dropped here is not kept any more.', 'Drop it again. Nothing was sent.');
}
