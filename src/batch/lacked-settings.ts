/**
 * What rows of a sheet need that the configuration does not say. It is no mistake of the sheet: it is told once, as what it is, and
 * the same sheet can be paid when the configuration is complete.
 */
import { Fault } from '../domain/fault.ts';
import type { RemitterField } from '../domain/settings.ts';
import type { Kind } from '../kinds/kind.ts';

/** Fields of the remitter that rows of one kind need. */
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

/** What the configuration lacks for the rows of a sheet; undefined: nothing. `file`: the one that was read, if there is one. */
export function configurationFault(lacked: readonly LackedSettings[], file: string | undefined): Fault | undefined {
  if (lacked.length === 0) return undefined;
  const settings = [...new Set(lacked.flatMap(({ fields }) => fields))].map((field) => `remitter.${field}`).join(', ');
  const standsIn = lacked.every(({ kind, fields }) =>
    fields.every((field) => field === kind.remitter?.standIn?.remitter),
  );
  return new Fault(
    'configuration',
    `The configuration does not say ${settings}. ${lacked.map(needOf).join(' ')}`,
    `Add ${settings} to ${file ?? 'a configuration file, paybatch.config.json'}${standsIn ? ', or fill in those rows' : '; the sheet needs no change'}. Nothing was sent.`,
  );
}

function needOf({ kind: { title, remitter }, fields, rows }: LackedSettings): string {
  const which = `${rows} ${rows === 1 ? 'row' : 'rows'} (${title})`;
  const { standIn } = remitter ?? { standIn: undefined };
  if (standIn && fields.every((field) => field === standIn.remitter)) {
    return `${which} leave the ${standIn.field} empty, and it stands for theirs.`;
  }
  return `${which} must be told who pays.`;
}

/** The same for a check that sends nothing anyway. */
export const configurationNotice = ({ message, remedy }: Fault): string =>
  `${message} A run would stop before anything is sent. ${remedy}`;
