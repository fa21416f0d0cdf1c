/** The ledger of workers under fire, as each machine has it: vouched for before, and held against the books of the service after. */
import path from 'node:path';
import { emptyProfile } from '../../../src/cli/config/config-schema.ts';
import { type Judgement, judge } from '../../../src/cli/drill/judge.ts';
import { checkpointFile, ledgerFile } from '../../../src/cli/state/state-files.ts';
import { thisProcess } from '../../../src/cli/state/system.ts';
import { needsPerson } from '../../../src/dispatch/decision.ts';
import type { ResultRow } from '../../../src/domain/batch.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { keysInFolder } from '../../../src/ledger/key-folder.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { systemClock } from '../../../src/system.ts';
import { sharedAt } from '../postgres.ts';
import type { Site } from './process-site.ts';

export class FireLedgers {
  readonly #site: Site;
  readonly #address: string;

  constructor(site: Site, address: string) {
    [this.#site, this.#address] = [site, address];
  }

  /** The service has just begun, so nothing can have been sent to it. */
  async vouch(machine: string | undefined): Promise<void> {
    const ledger = await this.#open(machine);
    try {
      await ledger.takeLease();
      await ledger.trustNew();
    } finally {
      await ledger.close();
    }
  }

  /** Row by row: what the ledger says, beside what the books of the service hold. */
  async judged(
    batches: readonly string[],
  ): Promise<{ readonly judgement: Judgement; readonly violations: readonly string[] }> {
    const ledger = await this.#open();
    try {
      const ids = batches.map((id) => id as BatchId); // as the ledger has them
      const judgement = await judge(rowsOf(ledger, ids), await this.#site.books(), async ({ order }) => {
        for (const id of ids) {
          const stored = order && (await ledger.findOrder(id, order));
          if (stored) return needsPerson(stored.state, emptyProfile().inDoubt);
        }
        return false;
      });
      return { judgement, violations: await ledger.verify() };
    } finally {
      await ledger.close();
    }
  }

  /** As a machine has it; undefined: this one. */
  #open(machine?: string): Promise<Ledger> {
    const place = { home: path.join(this.#site.folder, machine ?? 'home'), profileName: 'env' };
    return openLedger({
      path: ledgerFile(place),
      checkpointPath: checkpointFile(place),
      shared: sharedAt(this.#address),
      keys: keysInFolder(path.join(this.#site.folder, 'keys')),
      clock: systemClock,
      holder: thisProcess('campaign', machine),
    });
  }
}

async function* rowsOf(ledger: Ledger, batches: readonly BatchId[]): AsyncGenerator<readonly ResultRow[]> {
  for (const batch of batches) yield* ledger.resultRows(batch);
}
