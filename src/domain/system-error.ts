/** Tells errors of the operating system from faults and bugs. */
import { Fault } from './fault.ts';

/** An error that the operating system gave, for example `ENOENT`. */
interface SystemError extends Error {
  readonly code: string;
}

/** Reports whether an error is one of the system. A Fault, which has a code as well, is none. */
export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && !(error instanceof Fault) && 'code' in error && typeof error.code === 'string';
