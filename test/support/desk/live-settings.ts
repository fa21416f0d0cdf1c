/** Settings of a live profile as a run is given them when no configuration file is read: short waits, no routes. The client of a test has a time limit of its own. */
import type { Settings } from '../../../src/domain/settings.ts';
import { quickSettings } from '../run-harness.ts';

export const liveSettings: Settings = {
  organisation: 'Acme',
  idNamespace: 'acme',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  purpose: 'Payment',
  profile: 'live',
  sandbox: false,
  routes: {},
  limits: { perRow: {}, perBatch: {} },
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
  ...quickSettings,
  sending: { ...quickSettings.sending, requestTimeoutMs: 40 },
};
