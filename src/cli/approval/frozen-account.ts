/** The account of a profile as plans keep it, and what applying a plan needs in addition to a session. */

import type { FrozenAccount } from '../../approval/freeze.ts';
import type { ApplySite } from '../../run/apply-plan.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Session } from '../session.ts';
import { keptDecisions, readMapping } from '../state/mapping-file.ts';

/**
 * Returns the account as plans keep it. The practice service has another address and client id at each start, so a plan keeps only
 * its name.
 */
export const frozenAccount = (service: string, { account }: Pick<LoadedConfig, 'account'>): FrozenAccount => ({
  service,
  ...(account && { tokenUrl: account.tokenUrl, clientId: account.clientId }),
});

/** Returns what a plan is compared with, in addition to a session. */
export const planningSite = (service: string, loaded: LoadedConfig): Omit<ApplySite, 'deps'> => ({
  account: frozenAccount(service, loaded),
  decisions: keptDecisions(() => loaded.home),
  mappingOf: (name) => readMapping(loaded.home, name),
});

export const applySite = ({ deps, loaded }: Pick<Session, 'deps' | 'loaded'>): ApplySite => ({
  deps,
  ...planningSite(deps.service, loaded),
});
