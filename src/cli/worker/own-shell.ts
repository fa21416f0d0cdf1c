/** The shell of a part of a worker: it ends with that part, and tells what the part lets through. */
import type { Tell } from '../../domain/event.ts';
import type { Shell } from '../shell.ts';

export const ownShell = (shell: Shell, signal: AbortSignal, tell: Tell): Shell => ({
  ...shell,
  signal,
  reporter: { tell, end: () => undefined },
  working: () => undefined,
});
