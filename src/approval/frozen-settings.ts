/** The settings that decide what is paid, how, and from which account, as a plan keeps them: names and texts. */
import { canonicalText } from '../domain/canonical.ts';
import { sha256 } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';

/** The account at the service. */
export interface FrozenAccount {
  readonly service: string;
  /** Missing for the practice service, whose own are others at each start. */
  readonly tokenUrl?: string;
  readonly clientId?: string;
}

/** These change nothing of what is paid: in which language people are told, where the settings stand, and who has to agree to it. */
type Left = 'language' | 'file' | 'approval';

/** By name, in the order of the names. Who pays is personal, and an address of callbacks a secret: their hashes tell a change as well. */
export function frozenSettings(settings: Settings, account: FrozenAccount): readonly (readonly [string, string])[] {
  const {
    language: _,
    file: __,
    approval: ___,
    remitter,
    callbackUrl,
    ...rest
  }: Settings & Partial<Record<Left, unknown>> = settings;
  const hidden = { remitter: remitter && digest(remitter), callbackUrl: callbackUrl && digest(callbackUrl) };
  return leavesOf({ ...rest, ...hidden, ...account }).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The same for one value, whatever the order in which a file writes it. */
const digest = (value: unknown): string => `SHA-256 ${sha256(canonicalText(value))}`;

function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path.join('.'), String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}
