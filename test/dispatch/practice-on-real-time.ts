import { onTestFinished } from 'vitest';
import { parseScenario, type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { systemClock } from '../../src/system.ts';
import { seededRandom } from '../sandbox/practice.ts';

/** The practice service on the machine's own clock, so that its orders end while a run follows them. */
export async function practiceOnRealTime(scenario: string, clock = systemClock): Promise<Sandbox> {
  const options = { clock, random: seededRandom(), scenario: parseScenario(scenario) };
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}
