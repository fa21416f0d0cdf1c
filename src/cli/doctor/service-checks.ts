/** Checks of the service: a token, routes and charges, a balance, and answers that can be believed. */

import { existsSync } from 'node:fs';
import { Inbox } from '../../callbacks/inbox.ts';
import { inboxFile } from '../../callbacks/open-callbacks.ts';
import { askFor, formOf } from '../../dispatch/look-up.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { madeUpOrderId } from '../../domain/ids.ts';
import { groupedDecimalOf, moneyText } from '../../domain/money.ts';
import { kinds } from '../../kinds/index.ts';
import type { Scale } from '../../preflight/charge.ts';
import { readBalance, readScale, valueOrFault } from '../../preflight/read-service.ts';
import { readRoutes, requireRoutes } from '../../preflight/routes.ts';
import type { Client } from '../../service/client/client.ts';
import { reasonOf } from '../../service/client/reply.ts';
import { checkHealth } from '../../service/contract/health.ts';
import { submissions } from '../../service/submissions/index.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';
import type { DoctorContext } from './doctor-context.ts';

export const token: Check = {
  name: 'token',
  title: 'Credentials',
  async look(context) {
    const { lifeSeconds, type, scope } = await context.token();
    if (lifeSeconds === undefined) {
      return warning(
        'The service issues a token, and does not say how long it is valid.',
        'Nothing to do: it is treated as short-lived. If runs are slow, ask the provider.',
      );
    }
    if (type !== undefined && type.toLowerCase() !== 'bearer') {
      return warning(`The token is of the type ${type}, not Bearer.`, 'Ask the provider whether it can be used.');
    }
    return ok(`The service issues a token for ${lifeSeconds} s${scope ? ` (${scope})` : ''}.`);
  },
};

/** Most characters of the answer that are shown: it is plain text, and could be a whole page. */
const SHOWN_CHARACTERS = 60;

export const health: Check = {
  name: 'health',
  title: 'Service',
  async look(context) {
    const client = await context.client();
    const reply = await client.call(checkHealth, { signal: context.shell.signal });
    const isSilent = reply.tag === 'ambiguous' && reply.status === undefined;
    if (reply.tag === 'not-sent' || isSilent) valueOrFault(reply, 'its health');
    if (reply.tag !== 'accepted') {
      // The path of the health check is documented nowhere, and a service that answers everything else is healthy.
      return warning(
        `Its health could not be read (${reply.reason}).`,
        'Ask the provider for the address of the health check, and set paths.check-health of the profile.',
      );
    }
    const said = reply.value.trim().slice(0, SHOWN_CHARACTERS);
    if (/^"?(?:healthy|ok|up)\b/i.test(said)) return ok(`It says "${said}".`);
    return warning(`It says "${said}" about its health.`, 'Ask the provider whether payments are carried out today.');
  },
};

/** Compares all routes of the profile with those that the service has assigned. A run compares only those of its sheet. */
export const routes: Check = {
  name: 'routes',
  title: 'Routes',
  async look(context) {
    const settings = context.settings();
    const configured = Object.keys(settings.routes);
    if (configured.length === 0) {
      return problem(
        'route-missing',
        `No route is configured in the profile "${settings.profile}": nothing can be paid.`,
        'Add routes (routeId, channelType, transactionTypeId) to the profile; the provider has their ids.',
      );
    }
    const answer = await context.ask((client) => readRoutes(client, context.shell.signal));
    const names = configured.join(', ');
    if ('unknown' in answer) {
      // Charges also show whether a transaction type is known.
      return warning(
        `The assigned routes could not be read (${answer.unknown}), so those of ${names} were not compared.`,
        answer.fix,
      );
    }
    requireRoutes(configured, settings, answer.routes);
    return ok(`Assigned and active: ${names}.`);
  },
};

/**
 * Checks that the charge scales of the configured routes can be read, and finds amounts that a run would refuse because of
 * gaps or overlaps in them.
 */
export const charges: Check = {
  name: 'charges',
  title: 'Charges',
  async look(context) {
    const [currency, settings] = [context.currency(), context.settings()];
    const routesByType = Map.groupBy(Object.entries(settings.routes), ([, route]) => route.transactionTypeId);
    // Bands from 101 to 500 and from 501 leave no whole amount out.
    const wholeUnit = 10n ** BigInt(currency.exponent);
    const refusals: string[] = [];
    for (const [transactionTypeId, routes] of routesByType) {
      const scale = await context.ask((client) => readScale(client, transactionTypeId, currency.code));
      const kinds = routes.map(([kind]) => kind).join(', ');
      refusals.push(...scaleTroubles(scale, wholeUnit).map((text) => `${kinds}: ${text}`));
    }
    if (routesByType.size === 0) return warning('No route is configured whose charges could be read.', 'Add routes.');
    if (refusals.length === 0) return ok(`Readable, without gaps or overlaps: ${counted(routesByType.size, 'scale')}.`);
    return warning(
      `${refusals.join('; ')}. A sheet with such an amount is refused.`,
      'Ask the provider to correct these charges.',
    );
  },
};

/** Describes gaps that a whole amount can fall into, and amounts with two charges. `unit`: minor units in one whole unit. */
export function scaleTroubles({ bands, currency }: Omit<Scale, 'gaps'>, unit: bigint): readonly string[] {
  const text = (minor: bigint): string => groupedDecimalOf({ minor, currency });
  const troubles: string[] = [];
  /** The band so far that ends last. The bands are in the order of their beginnings. */
  let reach = bands[0];
  for (const band of bands.slice(1)) {
    if (!reach) break;
    if (band.lower > reach.upper + unit) {
      troubles.push(`no charge between ${text(reach.upper)} and ${text(band.lower)}`);
    } else if (band.lower <= reach.upper && band.charge !== reach.charge) {
      const isSingle = band.lower === reach.upper || band.lower === band.upper;
      troubles.push(`two different charges ${isSingle ? 'for' : 'from'} ${text(band.lower)}`);
    }
    if (band.upper > reach.upper) reach = band;
  }
  return troubles;
}

export const balance: Check = {
  name: 'balance',
  title: 'Wallet',
  async look(context) {
    const currency = context.currency();
    const held = await context.ask((client) => readBalance(client, currency.code));
    const whose = context.hasOwnBooks ? '' : ' (new practice books; those of this profile are in use)';
    if (held.minor > 0n) return ok(`It holds ${moneyText(held)}${whose}, and its accounts add up to that.`);
    return warning(`It holds ${moneyText(held)}${whose}.`, 'Top up the wallet before the pay day.');
  },
};

/** Number of made-up orders that are looked up. */
const PROBES = 3;

const STAYS = 'Runs work, but an order whose answer is lost then stays in doubt';

interface Probe {
  /** The answer without what differs from id to id; `undefined` if the answer is not a documented refusal. */
  readonly form: string | undefined;
  /** The answer in words for people. */
  readonly said: string;
  readonly isFound: boolean;
}

/**
 * Checks how the service answers for an order that it does not know. Only if all made-up ids are answered alike can a run
 * tell that an order whose answer was lost never arrived, and send it again. Otherwise such an order stays in doubt.
 */
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
    if (forms.has(undefined)) {
      return warning(
        `The service does not say in a documented way that it does not know an order (${said}).`,
        `${STAYS}, for a person to resolve. Ask the provider how the service answers about unknown orders.`,
      );
    }
    if (forms.size === 1) return ok(`The service says the same of all ${PROBES} made-up orders: ${said}.`);
    return warning(
      `The service says in ${forms.size} different ways that it does not know an order: ${said}.`,
      `${STAYS}, because the refusals cannot be told apart. Ask the provider.`,
    );
  },
};

async function probesOf(client: Client, { shell }: DoctorContext): Promise<readonly Probe[]> {
  const { lookUp } = submissions['payment-order'];
  const ids = Array.from({ length: PROBES }, () => madeUpOrderId(shell.random));
  return Promise.all(
    ids.map(async (id): Promise<Probe> => {
      const reply = await askFor(id, lookUp, { client, signal: shell.signal });
      if (reply.tag === 'not-sent' || reply.tag === 'unauthorised') valueOrFault(reply, 'an order');
      // Services write the id in upper or lower case. It consists of hexadecimal digits and hyphens, so it is safe in a pattern.
      const said = reasonOf(reply).replaceAll(new RegExp(id, 'gi'), '#').replace(/\.$/, '');
      return { form: formOf(reply, id), said, isFound: reply.tag === 'accepted' };
    }),
  );
}

/** Checks that the outcomes of orders that are followed by callbacks can be received. */
export const callbacks: Check = {
  name: 'callbacks',
  title: 'Callbacks',
  async look(context) {
    const settings = context.settings();
    const asking = kinds.flatMap(({ name, submission }) =>
      settings.routes[name] && submissions[submission].namesCallback ? [name] : [],
    );
    const { callbackUrl } = settings;
    if (asking.length > 0 && callbackUrl === undefined) {
      return problem(
        'configuration',
        `Orders of ${asking.join(', ')} must name an address for callbacks, and none is configured.`,
        'Set callbacks.url of the profile to an https address that the service can reach, and run `paybatch listen` there.',
      );
    }
    const received = await inboxFinding(inboxFile(context.folder()), asking);
    if (received) return received;
    if (settings.sandbox) return ok('The practice service needs none: it answers look-ups.');
    if (callbackUrl === undefined) return ok('None is needed: payment orders are looked up.');
    return warning(
      `${new URL(callbackUrl).origin} is configured, and nothing has ever been received here.`,
      'Run `paybatch listen` on the machine that the address leads to, with this state folder. callbacks.url of the profile must hold the secret that it prints.',
    );
  },
};

/** Whether the callbacks that came can be read; `undefined` if none ever came. */
async function inboxFinding(file: string, asking: readonly string[]): Promise<Finding | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    await using inbox = new Inbox(file);
    const [first] = await inbox.since(0, 1);
    return first && ok('Those that were received can be read.');
  } catch (error) {
    if (!(error instanceof Fault) || asking.length > 0) throw error;
    return warning(error.message, `Payment orders are looked up all the same. ${error.remedy}`);
  }
}
