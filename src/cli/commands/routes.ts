import { Fault } from '../../domain/fault.ts';
import type { RouteSettings } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
import { patientClient } from '../../preflight/patient-client.ts';
import { offersFor } from '../../preflight/route-offers.ts';
import { readRoutes, routeTrouble, sameRail } from '../../preflight/routes.ts';
import { answered, cliCommand } from '../command.ts';
import { openSession } from '../session.ts';

/** A rail of the account, and the ways of paying that it could carry, and that the profile pays by it. */
interface ListedRail {
  readonly route: RouteSettings;
  readonly name: string;
  readonly fits: readonly string[];
  readonly pays: readonly string[];
}

export const routes = cliCommand({
  example: 'paybatch routes',
  moreExamples: ['paybatch routes --profile branch', 'paybatch routes --json'],
  declare: (command) => command,
  async run(shell) {
    await using session = await openSession(shell, {});
    const { deps } = session;
    const { settings } = deps;
    const answer = await readRoutes(patientClient(deps.client, deps));
    if (!('routes' in answer)) {
      const why = `The service does not list the routes of this account: ${answer.unknown}.`;
      throw new Fault('route-missing', `${why} Nothing was sent.`, answer.fix);
    }
    const offers = kinds.map((kind) => ({ kind, offers: offersFor(kind, settings.country, answer.routes) }));
    const rails = (offers[0]?.offers ?? []).map(
      ({ route, name }): ListedRail => ({
        route,
        name,
        fits: offers.flatMap(({ kind, offers: own }) =>
          own.some((one) => one.fits && sameRail(one.route, route)) ? [kind.name] : [],
        ),
        pays: Object.entries(settings.routes).flatMap(([kind, own]) => (sameRail(own, route) ? [kind] : [])),
      }),
    );
    for (const [kind, own] of Object.entries(settings.routes)) {
      const trouble = routeTrouble(own, answer.routes);
      const setting = `routes.${kind}.${trouble?.setting}`;
      if (trouble) shell.reporter.emit({ type: 'notice', level: 'warning', message: `${setting}: ${trouble.why}.` });
    }
    return answered(
      shell,
      { type: 'routes', routes: rails.map(({ route, ...named }) => ({ ...named, ...route })) },
      rails.length === 0 ? ['This account has no route that could pay.'] : rails.flatMap(linesOf),
    );
  },
});

/** Returns a rail for people: its name and what it pays, then what a profile says to pay by it, to be copied. */
const linesOf = ({ name, route, fits, pays }: ListedRail): readonly string[] => [
  `${name}: ${useOf(fits, pays)}`,
  `  "routeId": "${route.routeId}", "channelType": ${route.channelType}, "transactionTypeId": "${route.transactionTypeId}"`,
];

function useOf(fits: readonly string[], pays: readonly string[]): string {
  if (pays.length > 0) return `pays ${pays.join(', ')}`;
  return fits.length > 0 ? `could pay ${fits.join(', ')}` : 'not used';
}
