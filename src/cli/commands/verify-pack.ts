/** `paybatch verify PACK`: it reads one file, and neither configuration nor ledger. */
import path from 'node:path';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import type { PackVerdict } from '../../pack/verify-pack.ts';
import { verifyPack } from '../../pack/verify-pack.ts';
import { readWorkbookWord } from '../../verify/workbook-word.ts';
import { field } from '../flags/options.ts';
import { answered } from '../screens/answered.ts';
import type { Shell } from '../shell.ts';

interface VerifyOptions {
  readonly results?: string | undefined;
  readonly key?: string | undefined;
}

export async function verifyPackFile(shell: Shell, named: string, { results, key }: VerifyOptions): Promise<RunEnd> {
  const file = path.resolve(shell.cwd, named);
  const head = results === undefined ? undefined : await headIn(path.resolve(shell.cwd, results));
  const verdict = await verifyPack(file, { key, head });
  const { differences, notes, pack } = verdict;
  const isSound = differences.length === 0;
  const event = {
    type: 'verify',
    batch: pack?.batch ?? null,
    workbook: results ?? null,
    pack: file,
    ...field('head', pack?.head),
    notes,
    differences,
  };
  const lines = isSound ? soundLines(verdict) : [...differences.map(shown), unsound(differences.length)];
  return { ...answered(shell, event, lines), exit: isSound ? exitCode.ok : exitCode.ledgerUnsafe };
}

const unsound = (differences: number): string =>
  `${counted(differences, 'difference')}. Believe nothing of this pack, keep it as it is, and ask for it again from somebody else.`;

/** What is said of a pack with which nothing is wrong: and what that does not say. */
function soundLines({ pack, header, notes }: PackVerdict): readonly string[] {
  if (!pack || !header) return [];
  const { head, sandbox, inDoubt } = pack;
  return [
    `The pack agrees: every file is the one of its list, the facts of batch ${shown(pack.batch)} follow each other, and all else follows from them.`,
    `${counted(header.rows, 'row')} of ${shown(header.sheet.name)}; ${counted(pack.facts, 'fact')}, as of ${pack.asOf}; head: fact ${head.seq}, ${head.hash}`,
    sandbox
      ? 'It is of a rehearsal: no money moved, and the key that signed it is known to everybody.'
      : `Signed with the key ${head.key}. Compare that key with a workbook or mail from the day of the payment: the pack cannot prove it.`,
    ...(inDoubt ? ['The ledger was in doubt then: rows that read "Check first" may have been paid.'] : []),
    ...notes.map(shown),
  ];
}

async function headIn(workbook: string) {
  const { head } = await readWorkbookWord(workbook);
  if (head) return { said: head, where: `the workbook ${path.basename(workbook)}` };
  throw new Fault(
    'usage',
    `${shown(workbook)} says no head of a ledger.`,
    'Name a results workbook that paybatch wrote.',
  );
}
