/**
 * Settings that rows of a sheet need and the configuration does not have. This is not a mistake of the sheet: it is reported
 * once, as a gap in the configuration, and the same sheet can be paid when the configuration is complete.
 */
import { agreeing, counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { RemitterField } from '../domain/settings.ts';
import type { Kind } from '../kinds/kind.ts';

/** Fields of the remitter that rows of one kind need and the configuration lacks. */
export interface LackedSettings {
  readonly kind: Pick<Kind, 'title' | 'remitter'>;
  readonly fields: readonly RemitterField[];
  readonly rows: number;
}

/** Gathers what the rows lack, by kind. */
export class LackedByKind {
  readonly #found = new Map<Kind, LackedSettings>();

  see(kind: Kind, fields: readonly RemitterField[]): void {
    if (fields.length === 0) return;
    const known = this.#found.get(kind);
    const all = new Set([...(known?.fields ?? []), ...fields]);
    this.#found.set(kind, { kind, fields: [...all], rows: (known?.rows ?? 0) + 1 });
  }

  found(): readonly LackedSettings[] {
    return [...this.#found.values()];
  }
}

/**
 * Returns the fault that stops a run whose rows lack settings; `undefined` if they lack nothing. `file` is the configuration
 * that was read, if any.
 */
export function configurationFault(lacked: readonly LackedSettings[], file: string | undefined): Fault | undefined {
  if (lacked.length === 0) return undefined;
  const { says, fix } = wordsAbout(lacked, file);
  return new Fault('configuration', says, `${fix} Nothing was sent.`);
}

/** Like `configurationFault`, but as a text, for commands that send nothing anyway. */
export function configurationNotice(lacked: readonly LackedSettings[], file: string | undefined): string | undefined {
  if (lacked.length === 0) return undefined;
  const { says, fix } = wordsAbout(lacked, file);
  return `${says} ${fix} Until then, every run stops before it sends anything.`;
}

function wordsAbout(lacked: readonly LackedSettings[], file: string | undefined): Record<'says' | 'fix', string> {
  const settings = [...new Set(lacked.flatMap(({ fields }) => fields))].map((field) => `remitter.${field}`);
  const them = agreeing(settings.length, 'it', 'them');
  const instead = lacked.every(isStoodFor) ? ', or fill in those rows' : '; the sheet needs no change';
  return {
    says: `The configuration does not set ${settings.join(', ')}. ${lacked.map(needOf).join(' ')}`,
    fix: `Add ${them} to ${file ?? 'a configuration file, paybatch.config.json'}${instead}.`,
  };
}

/**
 * Reports whether the missing settings only replace values that rows leave empty, as the remitter's phone does for a till
 * or a bill.
 */
const isStoodFor = ({ kind: { remitter }, fields }: LackedSettings): boolean =>
  fields.every((field) => field === remitter?.standIn?.remitter);

function needOf(lack: LackedSettings): string {
  const { kind, rows } = lack;
  const which = `${counted(rows, 'row')} (${kind.title})`;
  if (!isStoodFor(lack)) return `For ${which}, the order must name the payer.`;
  const field = kind.remitter?.standIn?.field;
  return `${which} ${agreeing(rows, 'has', 'have')} no ${field}, so the ${field} of the remitter is needed instead.`;
}
