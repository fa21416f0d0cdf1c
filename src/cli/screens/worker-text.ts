/** A step of a worker in words. It is read in the journal of a server, long after: each line stands for itself. */
import type { RunEvent, WorkerPoint } from '../../domain/event.ts';
import { shown } from '../../domain/shown-text.ts';

type WorkerEvent = Extract<RunEvent, { readonly type: 'worker' }>;

const sentences: Readonly<Record<WorkerPoint, (event: WorkerEvent) => string>> = {
  ready: () => 'ready: takes batches',
  waiting: ({ message = '' }) => `not ready, and takes nothing: ${message} It tries again.`,
  begun: ({ batch }) => `batch ${batch}: goes on`,
  'handed-on': ({ batch }) => `batch ${batch}: handed on; everything is saved`,
  over: ({ batch, exit }) => `batch ${batch}: nothing is left to do (${exit})`,
  later: ({ batch, exit }) => `batch ${batch}: later (${exit})`,
  left: ({ message = '' }) => message,
  alarm: ({ message = '' }) => message,
};

export const workerText = (event: WorkerEvent): string => shown(sentences[event.point](event));
