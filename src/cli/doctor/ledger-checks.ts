/** Checks of the ledger: whether it can be relied on, whose it is, who writes to it, and which batches are not finished. */

import { refusedText } from '../../database/database.ts';
import { shownAddress } from '../../database/postgres/address.ts';
import { openReader } from '../../database/sqlite.ts';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { atWorkText } from '../../ledger/ledger.ts';
import { requireIdNamespace } from '../../preflight/batch-name.ts';
import { knownEnd } from '../../results/run-end.ts';
import { EMBEDDED } from '../resources.ts';
import { ledgerFile } from '../state/state-files.ts';
import { type Check, ok, problem, warning } from './check.ts';

/** Most batches or differences that are named; the rest is counted. */
const NAMED_MAX = 5;

const UNSOUND = 'Keep the ledger as it is, send nothing, and find out with `paybatch verify` what was changed.';

export const ledgerOpens: Check = {
  name: 'ledger',
  title: 'Ledger',
  async look(context) {
    const loaded = context.loaded();
    const ledger = await context.ledger();
    const elsewhere = await ledger.elsewhere();
    if (elsewhere !== undefined) return problem('ledger-moved', elsewhere, 'Nothing is paid from here.');
    const place = loaded.ledger ? shownAddress(loaded.ledger.address) : ledgerFile(loaded);
    // A condition that does not hold is only a warning, because anything worse has already stopped the ledger from opening.
    const wrong = (await ledger.relied()).filter(({ holds }) => !holds);
    if (wrong.length === 0) return ok(`It is ${place}, and all that its commits rely on holds.`);
    const said = wrong.map(refusedText).join('; ');
    return warning(`It is ${place}: ${said}.`, wrong.map(({ remedy }) => remedy).join(' '));
  },
};

export const ledgerAccount: Check = {
  name: 'ledger-account',
  title: "Ledger's account",
  async look(context) {
    const ledger = await context.ledger();
    const { account } = context.loaded();
    const bound = await ledger.boundTo();
    if (!bound) return ok('It belongs to none yet. The first payment binds it to the account of its profile.');
    if (account) await context.requireAccount();
    else if (bound.service !== EMBEDDED) {
      return problem(
        'configuration',
        `It belongs to ${bound.service}, and the profile is the practice service.`,
        'Give the practice profile a state folder of its own (PAYBATCH_HOME).',
      );
    }
    await requireIdNamespace(ledger, context.settings());
    return ok(`It belongs to this one (${bound.service}).`);
  },
};

export const ledgerRecords: Check = {
  name: 'ledger-records',
  title: 'Ledger records',
  async look(context) {
    const ledger = await context.ledger();
    const loaded = context.loaded();
    const isShared = loaded.ledger !== undefined;
    // A server looks after its own files.
    const damage = isShared ? undefined : damageOf(ledgerFile(loaded));
    if (damage !== undefined) return problem('ledger-unsafe', `Its file is damaged: ${damage}.`, UNSOUND);
    const whole = isShared ? 'It can be read' : 'Its file is whole';
    if (!context.full) return ok(`${whole}. --full replays every record.`);
    if ((await ledger.othersAtWork()).length > 0) {
      return warning(
        'Not replayed: another run is writing to it.',
        'Run `paybatch doctor --full` when it has finished.',
      );
    }
    const differences = await ledger.verify();
    if (differences.length === 0) return ok(`${whole}, and all it shows follows from its facts.`);
    const named = differences.slice(0, NAMED_MAX).join('; ');
    return problem(
      'ledger-unsafe',
      `${counted(differences.length, 'of its records does', 'of its records do')} not agree: ${named}.`,
      UNSOUND,
    );
  },
};

export const lease: Check = {
  name: 'lease',
  title: 'Other runs',
  async look(context) {
    const atWork = await (await context.ledger()).othersAtWork();
    if (atWork.length === 0) return ok('No other run uses the ledger.');
    return warning(
      `${counted(atWork.length, 'run is', 'runs are')} in progress: ${atWork.map(atWorkText).join('; ')}.`,
      'Their batches cannot be worked on in the meantime; `paybatch status BATCH` shows how far one is.',
    );
  },
};

export const unfinishedBatches: Check = {
  name: 'unfinished',
  title: 'Batches',
  async look(context) {
    const ledger = await context.ledger();
    const all = await ledger.batches();
    const open: string[] = [];
    const stopped: string[] = [];
    const alarmed: string[] = [];
    for (const batch of all) {
      const { exit } = await knownEnd(batch, ledger);
      if (exit === exitCode.notFinal) open.push(batch.id);
      if (exit === exitCode.notFinal && (await ledger.stopOf(batch.id))) stopped.push(batch.id);
      if (exit === exitCode.alarm) alarmed.push(batch.id);
    }
    if (alarmed.length > 0) {
      return warning(
        `The service contradicts ${named(alarmed)}${open.length > 0 ? `; not finished: ${named(open)}` : ''}.`,
        `See \`paybatch status ${alarmed[0]}\` and its results, and ask the provider before more is sent.`,
      );
    }
    if (open.length === 0) return ok(all.length === 0 ? 'There is none yet.' : 'All are finished.');
    const message = `Not finished: ${named(open)}.`;
    const next = open.find((id) => !stopped.includes(id));
    const ask = stopped.length === 0 ? '' : `A person stopped ${named(stopped)}: ask that person first. `;
    const goOn = next === undefined ? '' : `Continue: \`paybatch resume ${next}\`. `;
    return warning(message, `${ask}${goOn}Never pay such a sheet as a new batch.`);
  },
};

const named = (ids: readonly string[]): string =>
  ids.length > NAMED_MAX ? `${ids.slice(0, NAMED_MAX).join(', ')} and ${ids.length - NAMED_MAX} more` : ids.join(', ');

/** Returns what SQLite finds wrong with a file, or `undefined` if it finds nothing. */
function damageOf(path: string): string | undefined {
  const reader = openReader(path);
  try {
    const said = String(reader.setting('quick_check(1)'));
    return said === 'ok' ? undefined : said;
  } finally {
    reader.close();
  }
}
