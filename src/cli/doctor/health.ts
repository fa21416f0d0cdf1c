import { checkHealth } from '../../contract/health.ts';
import { valueOrFault } from '../../preflight/read-service.ts';
import { type Check, ok, warning } from './check.ts';

/** Longest word that is shown: the answer is plain text, and could be a page. */
const SHOWN_CHARACTERS = 60;

export const health: Check = {
  name: 'health',
  title: 'Service',
  async look(context) {
    const client = await context.client();
    const reply = await client.call(checkHealth, { signal: context.signal });
    const isSilent = reply.tag === 'ambiguous' && reply.status === undefined;
    if (reply.tag === 'not-sent' || isSilent) valueOrFault(reply, 'its health');
    if (reply.tag !== 'accepted') {
      // Nobody documents its path, and a service that answers everything else is well.
      return warning(
        `Its health could not be read (${reply.reason}).`,
        'Ask the provider for the address of the health check, and set paths.check-health of the profile.',
      );
    }
    const said = reply.value.trim().slice(0, SHOWN_CHARACTERS);
    if (/^"?(?:healthy|ok|up)\b/i.test(said)) return ok(`It says "${said}".`, { said });
    return warning(`It says "${said}" of its health.`, 'Ask the provider whether payments are carried out today.', {
      said,
    });
  },
};
