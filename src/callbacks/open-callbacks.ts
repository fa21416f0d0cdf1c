/** The callbacks of a profile as a run reads them: no trouble with them may stop a run. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Emit } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { Inbox } from './inbox.ts';

/** The callbacks that a listener keeps, readable while it keeps more. */
export interface Callbacks extends Pick<Inbox, 'since'>, AsyncDisposable {}

/** Returns the file in which `paybatch listen` keeps the callbacks of a profile. */
export const inboxFile = (stateFolder: string): string => path.join(stateFolder, 'callbacks.db');

/**
 * Opens the callbacks of a profile; `undefined` if there is no listener: no address is configured, and nothing was ever
 * received. An inbox that cannot be read is reported once, and the run continues without callbacks.
 */
export async function openCallbacks(
  stateFolder: string,
  address: string | undefined,
  emit: Emit,
): Promise<Callbacks | undefined> {
  const file = inboxFile(stateFolder);
  if (address === undefined && !existsSync(file)) return undefined;
  let isUnreadable = false;
  const warn = (error: unknown): void => {
    if (!(error instanceof Fault)) throw error;
    if (!isUnreadable) {
      emit({ type: 'notice', level: 'warning', message: `Callbacks are not read in this run. ${error.message}` });
    }
    isUnreadable = true;
  };
  let inbox: Inbox;
  try {
    inbox = new Inbox(file);
  } catch (error) {
    warn(error);
    return undefined;
  }
  return {
    async since(seq, most) {
      if (isUnreadable) return [];
      try {
        return await inbox.since(seq, most);
      } catch (error) {
        warn(error);
        return [];
      }
    },
    [Symbol.asyncDispose]: () => inbox.close(),
  };
}
