/** The shell of one part of a worker: it is stopped with that part, and reports only what the part lets through. */
import type { Tell } from '../../domain/event.ts';
import type { Shell } from '../shell.ts';

export const ownShell = (shell: Shell, signal: AbortSignal, tell: Tell): Shell => ({
  ...shell,
  signal,
  reporter: { tell, end: () => undefined },
  working: () => undefined,
});
