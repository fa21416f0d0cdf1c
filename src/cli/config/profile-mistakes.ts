/** What is wrong with the profiles of a configuration that is valid by its form: names, addresses, and what each lacks to be used. */
import { checkedAddress } from '../../client/address.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import type { ConfigMistake } from './config-mistakes.ts';
import type { Config } from './config-schema.ts';
import { ENVIRONMENT_PROFILE, requireProfileName, SANDBOX_PROFILE } from './profile-name.ts';

/** Uses a profile as a command would. A Fault for what it lacks. */
export type UseProfile = (name: string) => unknown;

/** Every mistake of the profiles. One that has mistakes of its own is not tried. */
export function profileMistakes({ profiles, defaultProfile }: Config, use: UseProfile): readonly ConfigMistake[] {
  const names = Object.keys(profiles);
  const ofProfiles = names.flatMap((name) => {
    const path = ['profiles', name];
    const own = [
      ...faultsOf(() => requireProfileName(name, names), path, 'name'),
      ...(['baseUrl', 'tokenUrl'] as const).flatMap((setting) => {
        const address = profiles[name]?.[setting];
        const at = [...path, setting];
        return address ? faultsOf(() => checkedAddress(address, at.join('.')), at, 'value') : [];
      }),
    ];
    // The environment says the rest of its own profile, when it does.
    const isWhole = name !== ENVIRONMENT_PROFILE || profiles[name]?.baseUrl !== undefined;
    return own.length > 0 || !isWhole ? own : faultsOf(() => use(name), path, 'name');
  });
  const known = [...names, SANDBOX_PROFILE];
  if (defaultProfile === undefined || [...known, ENVIRONMENT_PROFILE].includes(defaultProfile)) return ofProfiles;
  const says = `There is no profile "${defaultProfile.slice(0, 60)}". ${chooseAmong(defaultProfile, known)}`;
  return [{ path: ['defaultProfile'], part: 'value', says }, ...ofProfiles];
}

function faultsOf(
  check: () => unknown,
  path: readonly string[],
  part: ConfigMistake['part'],
): readonly ConfigMistake[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const said = [error.message, ...error.details, error.remedy].join(' ');
    return [{ path, part, says: said.replaceAll(' Nothing was sent.', '') }];
  }
}
