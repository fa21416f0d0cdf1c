/** Settings of the engine of this process. A flag that it does not know would be told on the screen. */
import { setFlagsFromString } from 'node:v8';

/** Version up to which all flags that are set here are known. */
const ENGINE_LAST = 14;

/** Whether flags of the engine can be set: it is no newer than those that were looked at. */
export const isKnownEngine = (): boolean => Number.parseInt(process.versions.v8, 10) <= ENGINE_LAST;

/** Sets flags from now on; an engine that is not known stays as it is. */
export function setEngineFlags(...flags: readonly string[]): void {
  if (isKnownEngine()) for (const flag of flags) setFlagsFromString(flag);
}
