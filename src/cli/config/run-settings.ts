/** The settings of a run, from the configuration and the command line; those of a rehearsal if no account is configured. */
import { present } from '../../domain/present.ts';
import { NOBODYS_ADDRESS, type RemitterSettings, type Settings } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
import { practiceRoutes } from '../../sandbox/practice-account.ts';
import type { RunLimits } from '../flags/run-options.ts';
import type { Config } from './config-schema.ts';
import type { LoadedConfig } from './load-config.ts';

/**
 * Timings for the practice service, which is on this machine, honest and quick: the waits that a real service needs would
 * only teach people to wait. A profile named "sandbox" in the configuration overrides them.
 */
const practiceTimings = {
  requestTimeoutMs: 1000,
  polling: { firstMs: 150, maxMs: 2000, deadlineMs: 20_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 500, quietMs: 2000, maxAgeMs: 86_400_000, maxResends: 3 },
} as const;

/** The remitter of a rehearsal, for fields that the configuration does not set. */
const practiceRemitter = ({ organisation, country }: Config): RemitterSettings => ({
  name: organisation,
  phoneNumber: '+254700000000',
  country,
  sourceOfFunds: 'Business',
  principalActivity: 'Trading',
});

/** What a command can set in addition to the configuration. */
export interface SettingsOptions {
  readonly currency?: string | undefined;
  readonly purpose?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly limits?: RunLimits | undefined;
}

/** Returns the settings that a command works with: the configuration, and what was typed in addition. */
export const settingsOf = (
  { config, file, profileName, profile, idNamespace, account, language }: LoadedConfig,
  options: SettingsOptions,
): Settings => {
  const currency = (options.currency ?? config.currency).toUpperCase();
  const sandbox = account === undefined;
  const practised = sandbox && config.profiles[profileName] === undefined;
  // The practice service answers look-ups, so a rehearsal needs no listener.
  const callbackUrl = profile.callbacks.url ?? (sandbox ? NOBODYS_ADDRESS : undefined);
  return {
    organisation: config.organisation,
    idNamespace,
    currency,
    country: config.country,
    timezone: config.timezone,
    language,
    purpose: options.purpose ?? config.purpose,
    profile: profileName,
    sandbox,
    routes: { ...(sandbox && routesOfPractice(currency)), ...withoutGaps(profile.routes) },
    sending: {
      ...profile.sending,
      ...(practised && { requestTimeoutMs: practiceTimings.requestTimeoutMs }),
      ...options.limits,
      // Only the profile's canary is set here. A canary typed by the operator overrides the recorded one; the profile's does not.
      canary: profile.sending.canary,
      ...present({ concurrency: options.concurrency }),
    },
    polling: practised ? practiceTimings.polling : profile.polling,
    inDoubt: practised ? practiceTimings.inDoubt : profile.inDoubt,
    remitter: { ...(sandbox && practiceRemitter(config)), ...given(config.remitter) },
    ...present({ file, callbackUrl, approval: profile.approval }),
    limits: config.limits,
    duplicates: config.duplicates,
    journal: config.journal,
  };
};

/** Returns the entries of a record that are not `undefined`. */
const withoutGaps = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Returns the remitter of the configuration, without fields that are absent or blank. */
const given = (remitter: Config['remitter']): RemitterSettings =>
  Object.fromEntries(Object.entries(remitter).filter(([, text]) => text?.trim()));

/** Returns the practice routes by kind: the rail with the kind's channel type, in the currency of the batch if there is one. */
function routesOfPractice(currency: string): Settings['routes'] {
  const routes = kinds.flatMap(({ name, channelType }) => {
    const rails = practiceRoutes.filter((rail) => rail.channelType === channelType);
    const rail = rails.find((candidate) => candidate.currency === currency) ?? rails[0];
    return rail
      ? [[name as string, { routeId: rail.routeId, channelType, transactionTypeId: rail.transactionTypeId }] as const]
      : [];
  });
  return Object.fromEntries(routes);
}
