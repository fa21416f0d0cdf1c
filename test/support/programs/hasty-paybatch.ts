/** paybatch for the programs that kill hundreds of processes: a silent lease is over after 3 s instead of a minute, and so on. */
import { start } from '../../../src/cli/start.ts';
import { systemClock } from '../../../src/system.ts';

/** 60 s become 3 s. */
const HASTE = 20;

await start({ ...systemClock, haste: HASTE });
