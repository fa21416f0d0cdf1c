/**
 * paybatch as a library, in two parts.
 *
 * The service: `createClient(settings)` gives one typed method for each operation (`client.submitOrder({ body })`,
 * `client.findOrder({ query }, { signal })`). Every answer is a `Reply`: switch on its tag; `ambiguous` and `throttled`
 * mean that a submission may have arrived, so look it up under its identifier and never send it under another. Wrong input
 * rejects with an `InputFault` before anything leaves. `OperationBody<'submitOrder'>` and its sisters name the types.
 *
 * The run: `runSheet` and its parts, for programs that schedule it themselves. Everything that touches the world (clock,
 * chance, network, disk, confirmation) is given by the caller; see `RunDeps`.
 */
export type { HeadingMapping } from './batch/heading-mapping.ts';
export type { HeadingDecisions } from './batch/heading-question.ts';
export { type CallInput, type Client, type ClientDeps, type ClientSettings, openClient } from './client/client.ts';
export type { Reply } from './client/reply.ts';
export { openTransport, type Transport } from './client/transport.ts';
export { operations } from './contract/index.ts';
export { InputFault, type InputProblem } from './contract/input.ts';
export type { Operation } from './contract/operation.ts';
export type { Problem } from './contract/problem.ts';
export type { BatchHeader } from './domain/batch.ts';
export type { Clock, Random } from './domain/clock.ts';
export type { MoneyStatement, RunEvent } from './domain/event.ts';
export { Fault, type FaultCode } from './domain/fault.ts';
export type { Issue } from './domain/issue.ts';
export { type Language, languages } from './domain/language.ts';
export { decimalOf, type Money } from './domain/money.ts';
export { type Outcome, outcomeTable } from './domain/outcome.ts';
export type { RunEnd } from './domain/run-end.ts';
export type { Settings } from './domain/settings.ts';
export { keysInFolder } from './ledger/key-folder.ts';
export { type Ledger, type LedgerOptions, openLedger } from './ledger/ledger.ts';
export { type PostgresAddress, postgresAddress, type SharedLedger } from './ledger/postgres/address.ts';
export type { LedgerKeys, SigningKey } from './ledger/signing.ts';
export {
  type RunDeps,
  type RunRequest,
  resumeBatch,
  runSheet,
} from './paybatch.ts';
export { refreshBatch } from './refresh.ts';
export { reportBatch } from './report.ts';
export { type DrawPicture, type PictureDrawer, pictureDrawer } from './results/pictures/draw-picture.ts';
export { parseScenario, type Sandbox, type SandboxOptions, startSandbox } from './sandbox/sandbox.ts';
export {
  type CallOptions,
  createClient,
  type OperationBody,
  type OperationInput,
  type OperationMethod,
  type OperationName,
  type OperationQuery,
  type Operations,
  type OperationValue,
  type ServiceClient,
  type ServiceClientSettings,
} from './service-client.ts';
export { systemClock, systemRandom } from './system.ts';
export { issueFix, issueMessage } from './texts/issue-message.ts';
export { type CheckDeps, type CheckRequest, validateSheet } from './validate.ts';
