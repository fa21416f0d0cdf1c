import { z } from 'zod';
import { defineOperation } from './operation.ts';

/** Observed route catalogue. A route and a channel type together identify a rail; neither does alone. */
const route = z.looseObject({
  id: z.string(),
  category: z.string().nullish(),
  categoryDescription: z.string().nullish(),
  transactionTypeId: z.string().nullish(),
  categoryIsEnabled: z.boolean().nullish(),
  /** The service's own spelling, and the one on some of its provider's pages. */
  routeIntergration: z.string().nullish(),
  routeIntegration: z.string().nullish(),
  country: z.string().nullish(),
  routeIsActive: z.boolean().nullish(),
  channelTypes: z.array(z.looseObject({ channelType: z.int(), channelDescription: z.string().nullish() })).nullish(),
});

export const findRoutes = defineOperation({
  name: 'find-routes',
  summary: 'Lists the routes of this client with their channel types and transaction types.',
  method: 'GET',
  path: '/v1/transaction-routes/assigned-routes',
  reply: z.looseObject({ routes: z.array(route) }),
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: true,
});
