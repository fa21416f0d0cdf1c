/**
 * Scenarios: what the practice service does wrong, and how long it takes, as data. A scenario is written as
 * `flaky,slow=200,seed=7`: names of ready-made scenarios and single settings. A later one overrides those before it.
 */

import { Fault } from '../domain/fault.ts';
import { didYouMean } from '../domain/likeness.ts';

interface Knob {
  /** Value in a scenario that does not mention the setting. */
  readonly initial: number;
  readonly most: number;
}

const share: Knob = { initial: 0, most: 1 };
/** Longest time of a setting: ten minutes, longer than any client should wait for one answer. */
const LONGEST_MS = 600_000;

/** Every setting that is a number. Shares are between 0 and 1, and are drawn separately for each request or line. */
const knobTable = {
  'reset-before': share, // of requests whose connection breaks before the service acts
  'error-before': share, // of requests answered 500 before the service acts
  throttle: share, // of requests answered 429 with Retry-After
  'token-expiry': share, // of requests that find every token expired
  'lost-answer': share, // of requests carried out whose answer never arrives
  'error-after': share, // of requests carried out and answered 500
  garbage: share, // of requests carried out and answered with a page that is not JSON
  truncate: share, // of requests carried out and answered with half of the JSON
  'token-error': share, // of token requests answered 500
  reject: share, // of lines rejected by the service
  timeout: share, // of lines that end timed out
  fail: share, // of lines that fail for good
  unknown: share, // of lines that end in a status number nobody documented
  sparse: share, // of look-ups of orders answered with few fields, and null in every text that may be missing
  'settle-min': { initial: 150, most: LONGEST_MS }, // shortest time from acceptance to the end, milliseconds
  'settle-max': { initial: 600, most: LONGEST_MS }, // longest time from acceptance to the end, milliseconds
  slow: { initial: 0, most: LONGEST_MS }, // delay of every answer after the service has acted, milliseconds
  'read-lag': { initial: 0, most: LONGEST_MS }, // time until a look-up sees a new order, milliseconds
  'retry-after': { initial: 1, most: 3_600 }, // Retry-After of a throttled request, seconds
  'token-life': { initial: 3_600, most: 86_400 }, // life of a token, seconds
  'accept-status': { initial: 200, most: 202 }, // HTTP status of an acceptance, 200 or 202
  'checkout-wait': share, // of checkouts that wait for their payer until they expire
  balance: { initial: -1, most: 1e12 }, // balance of every wallet when the scenario begins, whole units
} as const satisfies Record<string, Knob>;

export type KnobName = keyof typeof knobTable;

/**
 * What the service does with an identifier that it already holds. `refuse`: answers an error. `replay`: returns the first
 * acceptance again. `accept-then-9`: accepts it, and reports a duplicate outcome instead of acting (as published for payment
 * orders). `execute`: acts again. `hide`: acts again, and continues to show only the first payment order, which is the worst
 * that a service can do.
 */
export const duplicateModes = ['refuse', 'replay', 'accept-then-9', 'execute', 'hide'] as const;
export type DuplicateMode = (typeof duplicateModes)[number];

export interface Scenario {
  /** The scenario as it was written. */
  readonly text: string;
  /** Decides every draw: with the same seed, the same requests meet the same faults. */
  readonly seed: string;
  /** If absent, each operation uses its own mode. */
  readonly duplicates?: DuplicateMode;
  readonly knobs: Readonly<Record<KnobName, number>>;
}

/** Ready-made scenarios, each as a list of single settings. */
export const namedScenarios = {
  happy: '',
  mixed: 'reject=0.04,timeout=0.03,fail=0.05,unknown=0.01',
  flaky:
    'lost-answer=0.05,reset-before=0.03,error-before=0.02,error-after=0.02,throttle=0.03,token-expiry=0.002,' +
    'garbage=0.01,truncate=0.01,sparse=0.2,read-lag=200',
  slow: 'slow=700,settle-min=3000,settle-max=12000',
  'low-balance': 'balance=1000',
  timeouts: 'timeout=0.5',
  down: 'error-before=1,token-error=1',
} as const satisfies Record<string, string>;

/** Reads a scenario. Throws a Fault `usage` that names the part it does not understand. */
export function parseScenario(text: string): Scenario {
  const knobs: Record<KnobName, number> = { ...initialKnobs };
  const words: { seed: string; duplicates?: DuplicateMode } = { seed: '1' };
  for (const [name, value] of settingsOf(text)) {
    if (name === 'seed') words.seed = value;
    else if (name === 'duplicates') words.duplicates = duplicateMode(value);
    else if (isKnob(name)) knobs[name] = knobValue(name, value);
    else throw isScenarioName(name) ? withoutValue(name) : notUnderstood(name);
  }
  if (knobs['settle-min'] > knobs['settle-max']) knobs['settle-max'] = knobs['settle-min'];
  return { text: text.trim() || 'happy', ...words, knobs };
}

const initialKnobs = Object.fromEntries(
  Object.entries(knobTable).map(([name, knob]) => [name, knob.initial]),
) as Record<KnobName, number>; // the table's own keys

function settingsOf(text: string): readonly (readonly [string, string])[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter(Boolean).flatMap((part) => {
    const equals = part.indexOf('=');
    if (equals >= 0) return [[part.slice(0, equals).trim(), part.slice(equals + 1).trim()] as const];
    if (!isScenarioName(part)) throw notUnderstood(part);
    return settingsOf(namedScenarios[part]);
  });
}

const isKnob = (name: string): name is KnobName => Object.hasOwn(knobTable, name);
const isScenarioName = (name: string): name is keyof typeof namedScenarios => Object.hasOwn(namedScenarios, name);

function knobValue(name: KnobName, text: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const { most } = knobTable[name];
  const isStatus = name === 'accept-status';
  if (isStatus ? value === 200 || value === 202 : value <= most) return value;
  const remedy = `${name} is ${isStatus ? '200 or 202' : `a number from 0 to ${most}`}.`;
  throw new Fault('usage', `The scenario sets ${name} to "${text}".`, remedy);
}

function duplicateMode(text: string): DuplicateMode {
  const mode = duplicateModes.find((known) => known === text);
  if (mode) return mode;
  const remedy = `duplicates is one of ${duplicateModes.join(', ')}.`;
  throw new Fault('usage', `The scenario sets duplicates to "${text}".`, remedy);
}

const withoutValue = (name: string): Fault =>
  new Fault('usage', `The scenario "${name}" takes no value.`, `Name it alone: --scenario ${name}`);

function notUnderstood(part: string): Fault {
  const names = Object.keys(namedScenarios);
  const settings = [...Object.keys(knobTable), 'seed', 'duplicates'];
  const near = didYouMean(part, [...names, ...settings.map((name) => `${name}=`)]);
  const known = `Try ${names.join(', ')}; or a setting with a value, for example lost-answer=0.05.`;
  return new Fault('usage', `There is no scenario "${part.slice(0, 40)}".`, near ?? known);
}
