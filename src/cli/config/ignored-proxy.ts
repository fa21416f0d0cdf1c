/** What people are told of a proxy that the environment says and paybatch does not use. */
import { Fault } from '../../domain/fault.ts';
import type { LoadedConfig } from './load-config.ts';

type Known = Pick<LoadedConfig, 'account' | 'ignoredProxy' | 'profileName'>;

/** That there is such a proxy, and how it is used; undefined where nobody would miss it. */
export function ignoredProxyText({
  account,
  ignoredProxy,
  profileName,
}: Known): { readonly says: string; readonly fix: string } | undefined {
  if (!account || account.proxy !== undefined || ignoredProxy === undefined) return undefined;
  return {
    says: `${ignoredProxy} is set in the environment, and paybatch does not use proxies of the environment.`,
    fix: `If this network lets nobody out without that proxy, set profiles.${profileName}.proxy of the configuration to its address (http://host:port).`,
  };
}

/** A service that was not reached, with the word on the proxy that may be the reason; any other fault as it is. */
export function withIgnoredProxy(fault: Fault, known: Known | undefined): Fault {
  const told = fault.code === 'unreachable' && known ? ignoredProxyText(known) : undefined;
  if (!told) return fault;
  return new Fault(fault.code, fault.message, `${fault.remedy} ${told.says} ${told.fix}`, {
    cause: fault,
    details: fault.details,
  });
}
