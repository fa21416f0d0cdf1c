/** The routes of the profile against those that the service has assigned: all of them, where a run looks at those of its sheet. */
import { readRoutes, requireRoutes } from '../../preflight/routes.ts';
import { type Check, ok, problem, warning } from './check.ts';

export const routes: Check = {
  name: 'routes',
  title: 'Routes',
  async look(context) {
    const { settings, signal } = context;
    const configured = Object.keys(settings.routes);
    if (configured.length === 0) {
      return problem(
        'route-missing',
        `No route is configured in the profile "${settings.profile}": nothing can be paid.`,
        'Add routes (routeId, channelType, transactionTypeId) to the profile; the provider has their ids.',
      );
    }
    const answer = await context.ask((client) => readRoutes(client, signal));
    const names = configured.join(', ');
    if ('untold' in answer) {
      // Whether a transaction type is known shows in its charges too.
      return warning(
        `The assigned routes could not be read (${answer.untold}), so those of ${names} were not compared.`,
        answer.fix,
      );
    }
    requireRoutes(configured, settings, answer.routes);
    return ok(`Assigned and active: ${names}.`, { configured: configured.length, assigned: answer.routes.length });
  },
};
