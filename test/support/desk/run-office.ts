/** A desk at which a program runs sheets live, by the page of the run itself. */
import { join } from 'node:path';
import type { ApprovalPolicy } from '../../../src/domain/approval.ts';
import type { RunEnd } from '../../../src/domain/run-end.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { runSheet } from '../../../src/run/paybatch.ts';
import type { RunDeps } from '../../../src/run/run-deps.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';
import { fastClock } from '../fast-clock.ts';
import { clientOf } from '../priced-sheet.ts';
import { open } from '../run-harness.ts';
import { openService, quickProfile } from './account.ts';
import { openDesk } from './command-line.ts';
import { liveSettings } from './live-settings.ts';

const clock = fastClock();

/** A desk at which sheets are run live; each run opens the ledger anew, as another process would. */
export async function openRunOffice(
  more: Partial<RunDeps> & {
    readonly approval?: ApprovalPolicy;
    /** Returns the ledger as a run sees it. */
    readonly seenBy?: (ledger: Ledger) => Ledger;
  } = {},
) {
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  const { routes } = quickProfile(service.routes) as Pick<Settings, 'routes'>;
  const { approval, seenBy = (ledger) => ledger, ...others } = more;
  const settings: Settings = { ...liveSettings, routes, ...(approval && { approval }) };
  const run = async (sheet: string, batchName: string | undefined, confirm: RunDeps['confirm']): Promise<RunEnd> => {
    const ledger = await open(join(desk.home, 'ledger.db'), systemClock);
    try {
      const request = {
        sheet,
        ...(batchName !== undefined && { batchName }),
        reading: {},
        allowIdentical: 0,
        dryRun: false,
      };
      const client = clientOf(service.url, service.clientSecret);
      const world = { settings, clock: systemClock, random: systemRandom, emit: () => undefined, client };
      const seen = seenBy(ledger);
      const signal = new AbortController().signal;
      const maker = { maker: 'amina@desk', version: '0.1.0' };
      return await runSheet(request, {
        ...world,
        ...maker,
        ledger: seen,
        service: service.url,
        signal,
        confirm,
        ...others,
      });
    } finally {
      await ledger.close();
    }
  };
  return { desk, service, run };
}
