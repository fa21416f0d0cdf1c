/**
 * Decides which batch a sheet is. A live batch has a name, and is paid once under it: ids made from the content of the sheet
 * would all change with one corrected name or one added row. A rehearsal needs no name.
 */
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import {
  type BatchId,
  type BatchKey,
  batchIdOf,
  contentBatchKey,
  isPlainName,
  namedBatchKey,
  PLAIN_NAME_RULE,
} from '../domain/ids.ts';
import { proposedBatchName } from '../domain/proposed-name.ts';
import type { Settings } from '../domain/settings.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';

interface BatchIdentity {
  readonly key: BatchKey;
  /** Id of the batch, as people see and type it. */
  readonly id: BatchId;
}

/** How a run names its batch. */
interface NameChoice {
  /** The name that the operator gave; absent if none was given. */
  readonly batchName?: string;
  readonly dryRun: boolean;
}

interface NameDeps {
  readonly settings: Pick<Settings, 'sandbox' | 'timezone'>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Asks a person for the name of a live batch, with a proposal; absent if no person can be asked. */
  readonly nameBatch?: (proposal: string) => Promise<string>;
}

/**
 * Returns the batch of a sheet with this file name and content. Throws a Fault `usage` for a live batch without a usable
 * name.
 */
export async function batchIdentity(
  choice: NameChoice,
  sheet: { readonly name: string; readonly fingerprint: string },
  deps: NameDeps,
): Promise<BatchIdentity> {
  const name = choice.batchName ?? (deps.settings.sandbox ? undefined : await liveName(choice, sheet.name, deps));
  const key = name === undefined ? contentBatchKey(sheet.fingerprint) : namedBatchKey(heldBatchName(name));
  return { key, id: batchIdOf(key, name) };
}

/** Returns the name of a live batch. A dry run uses the name that a live run would propose, and reports it. */
async function liveName(
  { dryRun }: NameChoice,
  file: string,
  { settings, clock, emit, nameBatch }: NameDeps,
): Promise<string> {
  const proposal = proposedBatchName(file, clock.now(), settings.timezone);
  if (dryRun) {
    const message = `This dry run uses the name "${proposal}". A live batch is paid once under its name, so a live run has to give one: --batch ${proposal}`;
    emit({ type: 'notice', level: 'info', message });
    return proposal;
  }
  if (nameBatch) return nameBatch(proposal);
  throw new Fault('usage', NAMELESS, `If this name is right, give it as batchName: ${proposal}`);
}

export const NAMELESS = 'A live batch needs a name, and is paid once under it. Nothing was sent.';

/** A number, which could be an amount: `57000`, `57000.25`. */
const NUMBER = /^\d+(?:\.\d+)?$/;

const NO_NAME = 'That is a number, not a name. You are asked for the total later; name the batch like payroll-2026-12.';

/**
 * Returns what is wrong with a typed name, or `undefined` if nothing is. A person who knows that a live run asks for the
 * total can type the total ahead. It is then the whole answer, or follows the proposed name.
 */
export function nameMistake(text: string, proposal: string): string | undefined {
  const name = text.trim();
  const added = name.startsWith(proposal) ? name.slice(proposal.length) : '';
  if (NUMBER.test(name) || NUMBER.test(added)) return NO_NAME;
  return isPlainName(name) ? undefined : PLAIN_NAME_RULE;
}

/**
 * Returns the name that the operator gave, without surrounding blanks. Throws a Fault `usage` for a text that cannot name a
 * batch.
 */
export function heldBatchName(text: string): string {
  const name = text.trim();
  if (isPlainName(name)) return name;
  throw new Fault('usage', `"${text}" cannot name a batch.`, PLAIN_NAME_RULE);
}

/**
 * Throws a Fault `configuration` if ids would be made from another namespace than before. A rehearsal may try out any
 * namespace.
 */
export async function requireIdNamespace(
  ledger: Pick<LedgerQueries, 'latestBatch'>,
  { sandbox, profile, idNamespace: now }: Pick<Settings, 'sandbox' | 'profile' | 'idNamespace'>,
): Promise<void> {
  const latest = sandbox ? undefined : await ledger.latestBatch();
  const before = latest?.idNamespace;
  if (before === undefined || before === now) return;
  throw new Fault(
    'configuration',
    `The ids of the payments in this ledger are made from "${before}", and the profile "${profile}" would make them from "${now}": a sheet that was paid before would not be recognised. Nothing was sent.`,
    `If the account has a new client id, add "idNamespace": "${before}" to the profile and keep it there for good. Another account needs a state folder of its own (PAYBATCH_HOME).`,
  );
}
