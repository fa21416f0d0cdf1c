/**
 * How the service answers for an order that it does not know. Only when made-up ids are all answered alike can a run
 * tell that an order, whose answer was lost, never arrived, and send it again; otherwise such an order stays in doubt.
 */
import type { Client } from '../../client/client.ts';
import { reasonOf } from '../../client/reply.ts';
import { askFor, formOf } from '../../dispatch/look-up.ts';
import { madeUpOrderId } from '../../domain/ids.ts';
import { valueOrFault } from '../../preflight/read-service.ts';
import { submissions } from '../../submissions/index.ts';
import { type Check, ok, problem, warning } from './check.ts';
import type { DoctorContext } from './doctor-context.ts';

/** As many as a run asks for. */
const PROBES = 3;

const STAYS = 'Runs work, but an order whose answer is lost then stays in doubt';

interface Probe {
  /** Without what differs from id to id; undefined when the answer is no documented refusal. */
  readonly form: string | undefined;
  /** For people. */
  readonly said: string;
  readonly isFound: boolean;
}

export const unknownForm: Check = {
  name: 'unknown-orders',
  title: 'Unknown orders',
  async look(context) {
    const probes = await context.ask((client) => probesOf(client, context));
    const said = [...new Set(probes.map((probe) => probe.said))].join(' / ');
    if (probes.some(({ isFound }) => isFound)) {
      return problem(
        'preflight-refused',
        'The service has a record of an order that was never sent.',
        'Send nothing: its look-ups cannot be believed. Ask the provider.',
      );
    }
    const forms = new Set(probes.map(({ form }) => form));
    const figures = { probes: PROBES, forms: forms.size, form: [...forms].join(' / ') };
    if (forms.has(undefined)) {
      return warning(
        `Orders that nobody sent are not refused in a documented way (${said}).`,
        `${STAYS}, for a person to resolve. Ask the provider how unknown orders are answered.`,
        { ...figures, form: null },
      );
    }
    if (forms.size === 1)
      return ok(`The service says of ${PROBES} made-up orders alike that it has none: ${said}.`, figures);
    return warning(
      `Orders that nobody sent are refused in ${forms.size} different ways: ${said}.`,
      `${STAYS}, because no refusal can be told from another. Ask the provider.`,
      figures,
    );
  },
};

async function probesOf(client: Client, { shell, signal }: DoctorContext): Promise<readonly Probe[]> {
  const { lookUp } = submissions['payment-order'];
  const ids = Array.from({ length: PROBES }, () => madeUpOrderId(shell.random));
  return Promise.all(
    ids.map(async (id): Promise<Probe> => {
      const reply = await askFor(id, lookUp, { client, signal });
      if (reply.tag === 'not-sent' || reply.tag === 'unauthorised') valueOrFault(reply, 'an order');
      // Services write the id in either case; it is hexadecimal digits and hyphens.
      const said = reasonOf(reply).replaceAll(new RegExp(id, 'gi'), '#').replace(/\.$/, '');
      return { form: formOf(reply, id), said, isFound: reply.tag === 'accepted' };
    }),
  );
}
