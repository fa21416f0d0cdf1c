/** An account of the practice service whose secret is in a file, and is that of last year. */
import { openService } from '../../support/desk/account.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

export const BEFORE = 'the-secret-of-last-year';

/** A desk, a service, the file of the secret, and the profile that names them. `changes` are members of the profile. */
export async function openLoginOffice(changes: object = {}) {
  const clock = fastClock();
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  const file = await desk.write('secret', BEFORE);
  const live = { baseUrl: service.url, clientId: service.clientId, clientSecretFile: file, ...changes };
  return { desk, service, file, live };
}
