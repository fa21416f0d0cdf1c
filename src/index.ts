/**
 * paybatch as a library, in two parts.
 *
 * The service: `createClient(settings)` returns a client with one typed method for each operation (`client.submitOrder({ body })`,
 * `client.findOrder({ query }, { signal })`). Every answer is a `Reply`: switch on its tag. `ambiguous` and `throttled` mean that a
 * submission may have arrived: look it up under its identifier, and never send it under another one. Wrong input rejects with an
 * `InputFault` before anything is sent. `OperationBody<'submitOrder'>` and the types next to it name the types of each operation.
 *
 * The run: `runSheet` and its parts, for programs that schedule runs themselves. The caller provides everything that has effects
 * outside (clock, randomness, network, disk, confirmation); see `RunDeps`. A Fault `usage` names everything that the caller left
 * out.
 *
 * Both parts are documented in `docs/library.md`; each has sample programs in `samples/library`.
 */
import './require-node.ts';

export type { HeadingMapping } from './batch/heading-mapping.ts';
export type { HeadingDecisions } from './batch/heading-question.ts';
export { type PostgresAddress, postgresAddress, type SharedLedger } from './database/postgres/address.ts';
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
export type { Ledger, LedgerOptions } from './ledger/ledger.ts';
export type { LedgerKeys, SigningKey } from './ledger/signing.ts';
export {
  keysInFolder,
  openClient,
  openLedger,
  parseScenario,
  refreshBatch,
  reportBatch,
  resumeBatch,
  runSheet,
  startSandbox,
  validateSheet,
} from './library.ts';
export { type DrawPicture, type PictureDrawer, pictureDrawer } from './results/pictures/draw-picture.ts';
export type { RunRequest } from './run/paybatch.ts';
export type { RunDeps } from './run/run-deps.ts';
export type { CheckDeps, CheckRequest } from './run/validate.ts';
export type { Sandbox, SandboxOptions } from './sandbox/sandbox.ts';
export type { CallInput, Client, ClientDeps, ClientSettings } from './service/client/client.ts';
export type { Reply } from './service/client/reply.ts';
export { openTransport, type Transport } from './service/client/transport.ts';
export { operations } from './service/contract/index.ts';
export { InputFault, type InputProblem } from './service/contract/input.ts';
export type { Operation } from './service/contract/operation.ts';
export type { Problem } from './service/contract/problem.ts';
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
} from './service/service-client.ts';
export { systemClock, systemRandom } from './system.ts';
export { issueFix, issueMessage } from './texts/issue-message.ts';
