/** A workbook as a package of parts (ZIP, OPC), and sentences about damaged packages for the person who made the file. */
import { Fault } from '../../domain/fault.ts';
import { type ArchiveProblem, openZipArchive } from '../../files/zip-archive.ts';
import type { SheetFile } from '../sheet-file.ts';
import { mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { damaged, saveAgain, unreadable } from '../unreadable.ts';

export interface Package {
  /** Names of all parts, as written. */
  readonly parts: readonly string[];
  readonly has: (part: string) => boolean;
  /** Yields the inflated bytes of a part. Throws a fault if the part is missing, corrupt or too large. */
  readonly read: (part: string) => AsyncGenerator<Buffer>;
}

/** Returns the key by which part names are compared: they do not differ in case (OPC 9.1.1). */
const keyOf = (part: string): string => part.replace(/^\//, '').toLowerCase();

export async function openPackage(file: SheetFile, limits: SheetLimits): Promise<Package> {
  const isOwn = (error: unknown): boolean => error instanceof Fault;
  const { members, has, read } = await openZipArchive(file, { limits, keyOf, problem: faultOf, isOwn });
  return { parts: members, has, read };
}

function faultOf(problem: ArchiveProblem): Fault {
  switch (problem.type) {
    case 'too-many':
      return unreadable(
        `The workbook has more than ${problem.most} parts, which is too many for a payment sheet.`,
        saveAgain,
      );
    case 'too-large':
      return unreadable(
        `The workbook unpacks to more than ${mebibytes(problem.most)}.`,
        'Remove pictures and unused worksheets, or split the sheet.',
      );
    case 'encrypted':
      return unreadable('The parts of the workbook are encrypted.', 'Save a copy without a password and run that.');
    case 'bomb':
      return unreadable(
        `The part ${problem.member} unpacks to more than ${problem.ratio} times its size, which only a hostile file does.`,
        saveAgain,
      );
    case 'cut-off':
      return damaged('Its directory cannot be read, or the file is cut off.', problem.cause);
    default:
      return damaged(damages[problem.type](problem.member), 'cause' in problem ? problem.cause : undefined);
  }
}

type Damage = Exclude<ArchiveProblem['type'], 'too-many' | 'too-large' | 'encrypted' | 'bomb' | 'cut-off'>;

/** A sentence for each way in which a part can be damaged. */
const damages: Readonly<Record<Damage, (part: string) => string>> = {
  'foreign-packing': (part) => `The part ${part} is packed in a way that workbooks do not use.`,
  twice: (part) => `It holds the part ${part} twice.`,
  overlaps: (part) => `The part ${part} overlaps another one.`,
  missing: (part) => `The part ${part} is missing.`,
  'two-names': (part) => `The part ${part} has two names.`,
  'not-found': (part) => `The part ${part} cannot be found in the file.`,
  'not-inflated': (part) => `The part ${part} cannot be unpacked.`,
  larger: (part) => `The part ${part} is larger than it says.`,
  smaller: (part) => `The part ${part} is smaller than it says.`,
  checksum: (part) => `The part ${part} does not match its checksum.`,
};
