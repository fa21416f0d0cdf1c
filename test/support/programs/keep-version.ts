/**
 * Keeps what this version promises, in `test/fixtures/versions`, before it is published: later versions are held against it
 * (`versions.test.ts`). As long as `CHANGELOG.md` calls the version unreleased it is kept anew; one that was released, never again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keptFile, publicFace } from '../versions/public-face.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const changelog = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').split('\n');
const isReleased = !changelog.some((line) => line.startsWith(`## ${version} `) && /unreleased/i.test(line));

const file = keptFile(version);
if (isReleased && existsSync(file)) throw new Error(`${version} is kept already, and was released`);
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(await publicFace(), null, 1)}\n`);
