/**
 * Other ledgers of this user that pay with the same client id. Two ledgers do not know about each other's payments, so a
 * second one is begun only if a person says so with `paybatch ledger separate`. This is recorded next to the ledger, which
 * has no batch yet.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { openReader } from '../../database/sqlite.ts';
import { Fault, systemCode } from '../../domain/fault.ts';
import { jsonIn } from '../../domain/json.ts';
import { useOwnFolder, writeOwnFile } from '../../files/own-folder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { EMBEDDED } from '../resources.ts';
import { ledgerFile, stateFolder } from './state-files.ts';

const TIED = 'SELECT client_id, service FROM meta WHERE only_row = 1 AND EXISTS (SELECT 1 FROM batch)';

const statementSchema = z.strictObject({
  v: z.literal(1),
  clientId: z.string(),
  reason: z.string(),
  by: z.string(),
  /** ISO 8601. */
  at: z.string(),
});

/** Why a profile has its own ledger although another profile pays with the same client id, and who said so. */
type SeparateStatement = Omit<z.infer<typeof statementSchema>, 'v'>;

const statementFile = (loaded: LoadedConfig): string => path.join(stateFolder(loaded), 'separate.json');

/**
 * Returns the profiles whose ledger files hold batches that were paid with the client id of this profile. They include this
 * very profile if its ledger is now on PostgreSQL and its old file holds such batches.
 */
export function profilesThatPay({ home, profileName, account, ledger }: LoadedConfig): readonly string[] {
  if (!(account && existsSync(home))) return [];
  return readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (ledger !== undefined || entry.name !== profileName))
    .map(({ name }) => name)
    .filter((name) => clientOf(ledgerFile({ home, profileName: name })) === account.clientId)
    .sort();
}

/**
 * Throws a Fault `configuration` if the first batch of a ledger would be paid with the client id of another ledger, and
 * nobody has said that two are meant.
 */
export async function requireNewLedger(loaded: LoadedConfig, ledger: Pick<Ledger, 'boundTo'>): Promise<void> {
  const { account, profileName } = loaded;
  const isBegun = loaded.ledger ? (await ledger.boundTo()) !== undefined : clientOf(ledgerFile(loaded)) !== undefined;
  if (!account || isBegun) return;
  const others = profilesThatPay(loaded);
  if (others.length === 0 || statementOf(loaded)?.clientId === account.clientId) return;
  if (others.includes(profileName)) {
    throw new Fault(
      'configuration',
      `The profile ${profileName} has paid with the client id ${account.clientId} from the ledger ${ledgerFile(loaded)}, and the one on PostgreSQL would know nothing of those payments. Nothing was sent.`,
      `To move it: paybatch ledger move --to ADDRESS --profile ${profileName}   Or keep the file: remove "ledger" from the profile, and PAYBATCH_LEDGER from the environment. If a new ledger is meant, say why: paybatch ledger separate --reason "…" --profile ${profileName}`,
    );
  }
  throw new Fault(
    'configuration',
    `The profile ${others.join(', ')} pays with the client id ${account.clientId} as well, and the ledger of the profile ${profileName} would know nothing of its payments. Nothing was sent.`,
    `Use --profile ${others[0]}. If two ledgers are meant, say why: paybatch ledger separate --reason "…" --profile ${profileName}`,
  );
}

/** Records a person's statement that the ledger of this profile is separate. */
export function keepStatement(loaded: LoadedConfig, statement: SeparateStatement): void {
  useOwnFolder(path.dirname(statementFile(loaded)));
  const content: z.infer<typeof statementSchema> = { v: 1, ...statement };
  writeOwnFile(statementFile(loaded), content);
}

/** Returns the statement that was recorded for this ledger, or `undefined` if there is none. */
function statementOf(loaded: LoadedConfig): SeparateStatement | undefined {
  const file = statementFile(loaded);
  if (!existsSync(file)) return undefined;
  const parsed = statementSchema.safeParse(jsonIn(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : undefined;
}

/** Returns the client id of a ledger that holds batches; `undefined` if it holds none, or only rehearsals, or is not readable. */
function clientOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const reader = openReader(file);
    try {
      const [row] = reader.all(TIED);
      // A rehearsed payment cannot be paid a second time, regardless of the client id.
      if (row?.['service'] === EMBEDDED) return undefined;
      return typeof row?.['client_id'] === 'string' ? row['client_id'] : undefined;
    } finally {
      reader.close();
    }
  } catch (error) {
    // The file is not a ledger. A command that uses it gets a Fault from the ledger itself.
    systemCode(error);
    return undefined;
  }
}
