/**
 * The table of all checks, in the order in which they are made and shown: what others rest upon comes first. Adding one
 * is its file and one line here.
 */
import { approvals, approverKeys } from './approvals.ts';
import { balance } from './balance.ts';
import { callbacks } from './callback-address.ts';
import { charges } from './charges.ts';
import type { Check } from './check.ts';
import { clock } from './clock.ts';
import { configuration, secretFiles } from './configuration.ts';
import { diskSpace, diskSync } from './disk.ts';
import { fileSystem } from './file-system.ts';
import { health } from './health.ts';
import { lease, ledgerAccount, ledgerFile, ledgerRecords, unfinishedBatches } from './ledger.ts';
import { nodeVersion } from './node-version.ts';
import { places } from './places.ts';
import { remitter } from './remitter.ts';
import { routes } from './routes.ts';
import { schedules } from './schedules.ts';
import { stateFolder } from './state-folder.ts';
import { token } from './token.ts';
import { unknownForm } from './unknown-form.ts';

export const checks: readonly Check[] = [
  nodeVersion,
  configuration,
  places,
  secretFiles,
  remitter,
  stateFolder,
  fileSystem,
  diskSpace,
  diskSync,
  ledgerFile,
  ledgerAccount,
  ledgerRecords,
  approvals,
  approverKeys,
  schedules,
  // Before the service is asked: the practice service takes the lease itself.
  lease,
  unfinishedBatches,
  token,
  health,
  routes,
  charges,
  balance,
  unknownForm,
  callbacks,
  // The last of all: it needs the times that the answers before it carried.
  clock,
];
