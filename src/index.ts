/**
 * paybatch as a library: the run and its parts, for programs that schedule it themselves. Everything that touches the
 * world (clock, chance, network, disk, confirmation) is given by the caller; see `RunDeps`.
 */
export type { HeadingMapping } from './batch/heading-mapping.ts';
export { type CallInput, type Client, type ClientDeps, type ClientSettings, createClient } from './client/client.ts';
export type { Reply } from './client/reply.ts';
export { openTransport, type Transport } from './client/transport.ts';
export { operations } from './contract/index.ts';
export type { Operation } from './contract/operation.ts';
export type { BatchHeader } from './domain/batch.ts';
export type { Clock, Random } from './domain/clock.ts';
export type { MoneyStatement, RunEvent } from './domain/event.ts';
export { Fault, type FaultCode } from './domain/fault.ts';
export { type Issue, issueFix, issueMessage } from './domain/issue.ts';
export { type Language, languages } from './domain/language.ts';
export { decimalOf, type Money } from './domain/money.ts';
export { type Outcome, outcomeTable } from './domain/outcome.ts';
export type { RunEnd } from './domain/run-end.ts';
export type { Settings } from './domain/settings.ts';
export { type Ledger, type LedgerOptions, openLedger } from './ledger/ledger.ts';
export {
  type RunDeps,
  type RunRequest,
  refreshBatch,
  reportBatch,
  resumeBatch,
  runSheet,
} from './paybatch.ts';
export { parseScenario, type Sandbox, type SandboxOptions, startSandbox } from './sandbox/sandbox.ts';
export { type CheckDeps, type CheckRequest, validateSheet } from './validate.ts';
