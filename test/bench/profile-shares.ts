/** A CPU profile of Node.js, as shares of the rooms: what is native counts for whoever called it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Share {
  readonly name: string;
  readonly seconds: number;
}

const US_PER_SECOND = 1e6;

/** The room, the package or the part of Node.js that a frame belongs to; undefined for what is native. */
function roomOf({ functionName, url }: Frame): string | undefined {
  if (functionName.startsWith('(') && functionName.endsWith(')')) return functionName;
  const ours = /\/(?:dist|src)\/([^/]+)\/(?!.*node_modules)/.exec(url);
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url);
  if (inPackage?.[1]) return inPackage[1];
  if (ours?.[1]) return ours[1];
  if (url.startsWith('file:')) return 'the run';
  return undefined;
}

/** Seconds of each room, and of each function, the longest first. `(idle)` is left out: nothing was computed then. */
export function sharesOf(file: string): { readonly rooms: readonly Share[]; readonly functions: readonly Share[] } {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const rooms = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (to: Map<string, number>, name: string, us: number): void => void to.set(name, (to.get(name) ?? 0) + us);
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index] ?? 0;
    let at: number | undefined = id;
    let room: string | undefined;
    while (at !== undefined && room === undefined) {
      const node = byId.get(at);
      room = node && roomOf(node.callFrame);
      at = parents.get(at);
    }
    const frame = byId.get(id)?.callFrame;
    const name = room === undefined || room === '(root)' ? 'node' : room;
    if (name === '(idle)') continue;
    add(rooms, name, us);
    if (frame)
      add(
        functions,
        `${frame.functionName || '(anonymous)'} ${path.basename(frame.url)}:${frame.lineNumber + 1} [${name}]`,
        us,
      );
  }
  const sorted = (from: Map<string, number>): Share[] =>
    [...from]
      .map(([name, us]) => ({ name, seconds: us / US_PER_SECOND }))
      .toSorted((one, other) => other.seconds - one.seconds);
  return { rooms: sorted(rooms), functions: sorted(functions) };
}

/** The newest profile in a folder. */
export function profileIn(folder: string): string {
  const [newest] = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .toSorted()
    .toReversed();
  if (!newest) throw new Error(`There is no profile in ${folder}.`);
  return path.join(folder, newest);
}
