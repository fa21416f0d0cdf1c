/** What the practice service answers beside the interface: its own controls, and the health check of the service. */
import { Fault } from '../domain/fault.ts';
import type { Books } from './books/statement.ts';
import { json, type Reply, text } from './reply.ts';
import { parseScenario, type Scenario } from './scenario.ts';

const HEALTH_PATH = '/api_health_check';
const CONTROL_PREFIX = '/__sandbox/';

export interface Controls {
  books(): Books;
  scenario(): Scenario;
  /** Lets another scenario play from now on. */
  play(scenario: Scenario): void;
}

/** Answers the health check and the controls; undefined for any other path. They need no token. */
export function controlReply(method: string, path: string, body: string, controls: Controls): Reply | undefined {
  if (path === HEALTH_PATH)
    return controls.scenario().knobs['error-before'] === 1 ? text(503, 'Down') : text(200, 'Healthy');
  if (!path.startsWith(CONTROL_PREFIX)) return undefined;
  switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
    case 'GET health':
      return json(200, { status: 'ok', environment: 'SANDBOX' });
    case 'GET books':
      return json(200, controls.books());
    case 'GET scenario':
      return json(200, controls.scenario());
    case 'POST scenario':
      return play(body, controls);
    default:
      return json(404, { message: `There is no ${method} ${path}.` });
  }
}

function play(body: string, controls: Controls): Reply {
  try {
    const scenario = parseScenario(body);
    controls.play(scenario);
    return json(200, scenario);
  } catch (error) {
    if (error instanceof Fault) return json(400, { message: error.message, remedy: error.remedy });
    throw error;
  }
}
