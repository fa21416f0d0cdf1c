/** Schedules in the state folder of a profile, and the records of their periods. Each file is written whole or not at all. */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { holdFile } from '../../database/file-locks.ts';
import { caughtFault, Fault, type FaultCode, faultTable } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { decimalMarks } from '../../domain/number-format.ts';
import { type Outcome, outcomes } from '../../domain/outcome.ts';
import { requireOwnFolder, useOwnFolder, writeOwnFile } from '../../files/own-folder.ts';
import { isOver, type PeriodRecord } from '../../schedule/period-record.ts';
import { rolls } from '../../schedule/rule.ts';
import type { PeriodStore } from '../../schedule/run-due.ts';
import { type Schedule, scheduleName } from '../../schedule/schedule.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { makerName } from './system.ts';
import { whyUnusable } from './why-unusable.ts';

const moment = z.int().min(0);
const text = z.string().max(1000);

const scheduleSchema = z.strictObject({
  paybatch: z.literal('schedule'),
  v: z.literal(1),
  name: text,
  sheet: text,
  on: text,
  at: text.optional(),
  timezone: text,
  roll: z.enum(rolls).optional(),
  holidays: z.array(text).optional(),
  catchUpHours: z.number().positive().optional(),
  reading: z.strictObject({
    worksheet: text.optional(),
    delimiter: text.optional(),
    encoding: text.optional(),
    map: text.optional(),
    currency: text.optional(),
    decimals: z.enum(decimalMarks).optional(),
    purpose: text.optional(),
    acceptFixes: z.literal(true).optional(),
    out: text.optional(),
  }),
  approvals: z.strictObject({ folder: text.optional() }).optional(),
  since: moment,
  by: text,
  pausedSince: moment.optional(),
});

const recordSchema = z.strictObject({
  paybatch: z.literal('period'),
  v: z.literal(1),
  period: text,
  day: text,
  dueAt: moment,
  state: z.enum(['waiting', 'open', 'ended', 'missed', 'skipped']),
  at: moment,
  exit: z.int().optional(),
  why: z.enum(Object.keys(faultTable) as [FaultCode]).optional(), // the keys of the table
  says: z.string().optional(),
  batch: text.optional(),
  counts: z.record(z.enum(outcomes as readonly Outcome[]), z.int()).optional(),
  told: z.array(text),
});

const FOLDER = 'schedules';

/** Returns the profiles of this user that have schedules, sorted by name. */
export function profilesWithSchedules({ home }: Pick<LoadedConfig, 'home'>): readonly string[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home);
  return names
    .filter((name) => existsSync(path.join(home, name, FOLDER)) && hasSchedules(path.join(home, name)))
    .sort();
}

const hasSchedules = (stateFolder: string): boolean =>
  readdirSync(path.join(stateFolder, FOLDER)).some((name) => name.endsWith('.json'));

export class ScheduleFiles implements PeriodStore {
  readonly #folder: string;

  /** `stateFolder` is the state folder of the profile. */
  constructor(stateFolder: string) {
    this.#folder = path.join(stateFolder, FOLDER);
  }

  /** Returns the names of all schedules, sorted. */
  names(): readonly string[] {
    requireOwnFolder(this.#folder);
    if (!existsSync(this.#folder)) return [];
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'));
    return files.map((file) => path.basename(file, '.json')).sort();
  }

  /** Returns one of the schedules in `names`. Throws a Fault `configuration` if it cannot be relied on. */
  called(name: string): Schedule {
    const file = this.#fileOf(name);
    const { paybatch: _, v: __, ...schedule } = this.#parsed(file, scheduleSchema);
    if (scheduleName(schedule.name) !== name)
      throw this.#unusable(file, `It is the schedule ${schedule.name} under another name.`);
    return schedule as Schedule; // zod writes an absent field as one that may be undefined
  }

  /** Returns the schedule of that name. Throws a Fault `usage` if there is none. */
  find(name: string): Schedule {
    return this.called(this.nameOf(name));
  }

  /** Returns the name of a schedule that is there, readable or not. Throws a Fault `usage` if there is none. */
  nameOf(name: string): string {
    const names = this.names();
    if (names.includes(name)) return name;
    const remedy = names.length > 0 ? chooseAmong(name, names) : 'Make one: `paybatch schedule add`.';
    throw new Fault('usage', `There is no schedule "${name}" in this profile.`, remedy);
  }

  has(name: string): boolean {
    return existsSync(this.#fileOf(name));
  }

  save(schedule: Schedule): void {
    useOwnFolder(path.dirname(this.#folder));
    useOwnFolder(this.#folder);
    const { holidays, ...rest } = schedule;
    const content: z.input<typeof scheduleSchema> = {
      paybatch: 'schedule',
      v: 1,
      ...rest,
      ...(holidays && { holidays: [...holidays] }),
    };
    writeOwnFile(this.#fileOf(schedule.name), content);
  }

  /** Removes a schedule, also one that cannot be read. The records of its periods stay, so that none is paid again by a new schedule of the same name. */
  remove(name: string): void {
    rmSync(this.#fileOf(this.nameOf(name)));
  }

  /** Returns every recorded period of a schedule, the latest first. */
  records(schedule: string): readonly PeriodRecord[] {
    const folder = this.#folderOf(schedule);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names
      .flatMap((name) => this.read(schedule, path.basename(name, '.json')) ?? [])
      .sort((one, other) => other.dueAt - one.dueAt);
  }

  read(schedule: string, period: string): PeriodRecord | undefined {
    const file = path.join(this.#folderOf(schedule), `${period}.json`);
    if (!existsSync(file)) return undefined;
    const { paybatch: _, v: __, ...record } = this.#parsed(file, recordSchema);
    return record as PeriodRecord; // as in `called`: an absent field
  }

  write(schedule: string, record: PeriodRecord): void {
    const content: z.input<typeof recordSchema> = { paybatch: 'period', v: 1, ...record, told: [...record.told] };
    writeOwnFile(path.join(this.#useFolderOf(schedule), `${record.period}.json`), content);
  }

  /**
   * Removes the texts, which may name people, from records of periods that were over before this moment (wall-clock
   * milliseconds).
   */
  forget(before: number): void {
    if (!existsSync(this.#folder)) return;
    const folders = readdirSync(this.#folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
      for (const { says, ...record } of this.records(name)) {
        if (says !== undefined && isOver(record) && record.at < before) this.write(name, record);
      }
    }
  }

  hold(schedule: string, period: string): Disposable | undefined {
    return holdFile(path.join(this.#useFolderOf(schedule), `${period}.lock`));
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }

  #folderOf(schedule: string): string {
    return path.join(this.#folder, schedule);
  }

  #useFolderOf(schedule: string): string {
    useOwnFolder(this.#folder);
    return useOwnFolder(this.#folderOf(schedule));
  }

  #parsed<T>(file: string, schema: z.ZodType<T>): T {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw this.#unusable(file, whyUnusable(error), error);
    }
  }

  /**
   * The Fault for a file that cannot be used. A record decides whether its period is paid, so an unreadable one must not
   * count as absent.
   */
  #unusable(file: string, why: string, cause?: unknown): Fault {
    const message = `${file} cannot be used: ${why} Nothing was sent.`;
    return new Fault('configuration', message, 'Restore it from a backup.', { cause });
  }
}

const schema = z.strictObject({
  paybatch: z.literal('run-due'),
  v: z.literal(1),
  /** Wall-clock milliseconds. */
  at: z.int().min(0),
  /** User and machine. */
  by: z.string().max(400),
});

type Trigger = Pick<z.infer<typeof schema>, 'at' | 'by'>;

const fileIn = (stateFolder: string): string => path.join(stateFolder, 'run-due.json');

/** Records that `run-due` runs now. Returns a Fault if that fails instead of throwing it: no payment depends on the record. */
export function writeTrigger(stateFolder: string, at: number): Fault | undefined {
  const content: z.infer<typeof schema> = { paybatch: 'run-due', v: 1, at, by: makerName() };
  try {
    useOwnFolder(stateFolder);
    writeOwnFile(fileIn(stateFolder), content);
    return undefined;
  } catch (error) {
    return caughtFault(error);
  }
}

/** Returns when `run-due` last ran, and by whom; `undefined` if never, or if the record is unreadable. Nothing depends on it. */
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
