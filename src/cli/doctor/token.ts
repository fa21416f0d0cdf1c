import { type Check, ok, warning } from './check.ts';

export const token: Check = {
  name: 'token',
  title: 'Credentials',
  async look(context) {
    const { lifeSeconds, type, scope } = await context.token();
    const figures = { lifeSeconds: lifeSeconds ?? null };
    if (lifeSeconds === undefined) {
      return warning(
        'The service gives a token, and does not say how long it lives.',
        'Nothing has to be done: it counts as short. Ask the provider when runs are slow.',
        figures,
      );
    }
    if (type !== undefined && type.toLowerCase() !== 'bearer') {
      return warning(
        `The token is of the type ${type}, not Bearer.`,
        'Ask the provider whether it can be used.',
        figures,
      );
    }
    return ok(`The service gives a token for ${lifeSeconds} s${scope ? ` (${scope})` : ''}.`, figures);
  },
};
