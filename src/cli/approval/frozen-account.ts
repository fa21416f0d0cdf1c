/** The account of a profile, as plans keep it. */
import type { FrozenAccount } from '../../approval/freeze.ts';
import type { LoadedConfig } from '../config/load-config.ts';

/** The practice service gives itself another address and client at each start. */
export const frozenAccount = (service: string, { account }: Pick<LoadedConfig, 'account'>): FrozenAccount => ({
  service,
  ...(account && { tokenUrl: account.tokenUrl, clientId: account.clientId }),
});
