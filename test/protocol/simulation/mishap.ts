/** What may become of a ledger and of its checkpoint between two runs. */
import type { Chance } from '../../support/seeded-random.ts';
import type { FaultKind } from './fault-kinds.ts';

/** `restored`: put back as it was at some time before. */
export type FileFate = 'kept' | 'lost' | 'restored';
export interface Mishap extends Readonly<Record<'ledger' | 'checkpoint', FileFate>> {
  /** What is put back was kept when so many submissions had left, 0: before the batch; at any time when it is missing. */
  readonly backupAt?: number;
  /** The power fails when so many submissions have left, and the files are gone or put back when it returns. */
  readonly diesAt?: number;
  /** It happens after a run that had rows to try again. */
  readonly afterRetry?: true;
}

/** Where everything that a computer knows is put back to one earlier time, nothing on it can tell: only the service can. */
export const isBeyondTelling = ({ ledger, checkpoint }: Mishap): boolean =>
  ledger === 'restored' && checkpoint === 'restored';

/** What is in store for the files of a computer; undefined: nothing. */
export function drawMishap(chance: Chance, allowed: (kind: FaultKind) => boolean): Mishap | undefined {
  if (!chance.onceIn(7)) return undefined;
  const fate = (of: 'ledger' | 'checkpoint'): FileFate => {
    const drawn = chance.pick(['kept', 'lost', 'restored'] as const);
    return drawn === 'kept' || allowed(`${of}-${drawn}`) ? drawn : 'kept';
  };
  return { ledger: fate('ledger'), checkpoint: fate('checkpoint') };
}

/** What of the files of a computer is lost or put back together, in turn: each once, then those with a checkpoint that can tell. */
export const mishaps: readonly Mishap[] = [
  { ledger: 'restored', checkpoint: 'kept' },
  { ledger: 'lost', checkpoint: 'kept' },
  { ledger: 'kept', checkpoint: 'restored' },
  { ledger: 'restored', checkpoint: 'lost' },
  { ledger: 'lost', checkpoint: 'lost' },
  { ledger: 'kept', checkpoint: 'lost' },
  { ledger: 'restored', checkpoint: 'kept' },
  { ledger: 'lost', checkpoint: 'kept' },
];
