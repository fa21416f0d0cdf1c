/** When `schedule run-due` ran last, in the state folder of a profile: nothing else shows that something starts it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Fault } from '../../domain/fault.ts';
import { useOwnFolder, writeOwnFile } from '../../files/own-folder.ts';
import { makerName } from './system.ts';

const schema = z.strictObject({
  paybatch: z.literal('run-due'),
  v: z.literal(1),
  /** Wall-clock milliseconds. */
  at: z.int().min(0),
  /** User and machine. */
  by: z.string().max(400),
});

export type Trigger = Pick<z.infer<typeof schema>, 'at' | 'by'>;

const fileIn = (stateFolder: string): string => path.join(stateFolder, 'run-due.json');

/** Writes that it runs now. Gives the Fault when that cannot be written: nothing depends on it, and people are to be paid. */
export function writeTrigger(stateFolder: string, at: number): Fault | undefined {
  const content: z.infer<typeof schema> = { paybatch: 'run-due', v: 1, at, by: makerName() };
  try {
    useOwnFolder(stateFolder);
    writeOwnFile(fileIn(stateFolder), content);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Undefined when it never ran, or when its record cannot be read: it decides nothing. */
export function lastTrigger(stateFolder: string): Trigger | undefined {
  const file = fileIn(stateFolder);
  if (!existsSync(file)) return undefined;
  try {
    const { at, by } = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { at, by };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
