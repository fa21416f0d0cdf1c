import type { Call, Desk } from '../desk.ts';
import { type Reply, text } from '../reply.ts';

/** Observed: plain text, without a token. */
export const checkHealth = (_call: Call, desk: Desk): Reply =>
  desk.scenario().knobs['error-before'] === 1 ? text(503, 'Down') : text(200, 'Healthy');
