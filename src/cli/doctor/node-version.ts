import { type Check, ok, problem } from './check.ts';

/** Oldest version that the packages of paybatch work with; `main.ts` turns older ones away before anything is read. */
const OLDEST = [22, 19] as const;

export const nodeVersion: Check = {
  name: 'node',
  title: 'Node.js',
  look() {
    const version = process.versions.node;
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
    const figures = { version, platform: process.platform };
    if (!isOld) return ok(`${version} on ${process.platform}.`, figures);
    return problem('configuration', `${version} is too old.`, `Install Node.js ${OLDEST.join('.')} or newer.`, figures);
  },
};
