import { type Reply, text } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** Observed: plain text, without a token. */
export const checkHealth = (_call: Call, context: ServiceContext): Reply =>
  context.scenario().knobs['error-before'] === 1 ? text(503, 'Down') : text(200, 'Healthy');
