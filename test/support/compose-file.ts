/** The compose file of `samples/deploy`, as its tests read it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const DEPLOY = path.join(import.meta.dirname, '..', '..', 'samples', 'deploy');

const service = z.looseObject({
  command: z.array(z.string()),
  user: z.string(),
  read_only: z.literal(true),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  tmpfs: z.array(z.string()),
  ports: z.never().optional(),
  privileged: z.never().optional(),
  image: z.string(),
  stop_grace_period: z.string().regex(/^\d+s$/),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  secrets: z.array(z.string()),
  healthcheck: z.looseObject({ test: z.array(z.string()) }),
});

const compose = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

export type ComposeService = z.infer<typeof service>;

/** All of it. Throws where a part is missing on which its safety rests. */
export const readCompose = (): z.infer<typeof compose> =>
  compose.parse(parse(readFileSync(path.join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }));

/** Milliseconds from SIGTERM until the engine kills a service. */
export const graceMsOf = ({ stop_grace_period: grace }: Pick<ComposeService, 'stop_grace_period'>): number =>
  Number.parseInt(grace, 10) * 1000;
