/** One Chromium for all tests of a file, which are skipped where the machine has none. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { needs } from '../needs.ts';
import { Chromium, chromiumPath } from './chromium.ts';

/** Registers it for the file that calls this; what it gives is the browser, while a test runs. */
export function ownBrowser(): () => Chromium {
  let running: Chromium | undefined;
  beforeAll(async () => {
    if (chromiumPath !== undefined) running = await Chromium.start(chromiumPath);
  });
  afterAll(() => running?.close());
  beforeEach(needs(chromiumPath !== undefined, 'Chromium (apt-get install chromium)'));
  return () => {
    if (running) return running;
    throw new Error('the browser is there');
  };
}
