/**
 * paybatch, as it is built, for the programs that kill hundreds of processes: a silent lease is over after 3 s instead of a
 * minute, and so on. Run from its sources, each process would first compile them, which takes as much of the processor as its
 * start does.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../src/system.ts';

/** 60 s become 3 s. */
const HASTE = 20;

const built = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'cli', 'start.js');
const { start } = (await import(pathToFileURL(built).href)) as typeof import('../../../src/cli/start.ts');
await start({ ...systemClock, haste: HASTE });
