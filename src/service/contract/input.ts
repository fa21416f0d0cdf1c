/** Checks whether an input fits its operation, before anything leaves, and names every field that does not, in plain words. */
import type { z } from 'zod';
import { Fault } from '../../domain/fault.ts';
import type { AnyOperation } from './operation.ts';

/** A field of a query or body that is wrong. It never holds the value, which may be personal. */
export interface InputProblem {
  /** Place of the field, for example `body.paymentOrderLines[0].recipient.ccy`. */
  readonly field: string;
  /** What the field should be, worded to follow its name. */
  readonly message: string;
}

/** The input of an operation is wrong: nothing was sent, and nothing needs to be looked up. Fault `usage`. */
export class InputFault extends Fault {
  /** Kebab-case name of the operation. */
  readonly operation: string;
  readonly problems: readonly InputProblem[];

  constructor({ name }: AnyOperation, problems: readonly InputProblem[]) {
    const named = problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    super('usage', `${name}: ${named}.`, `Nothing was sent. paybatch api ${name} --describe lists the fields.`);
    this.operation = name;
    this.problems = problems;
  }
}

export interface OperationInput {
  readonly query?: unknown;
  readonly body?: unknown;
  /** A body that was rendered and checked before; it is sent as it is. */
  readonly rendered?: string;
}

/** Returns the input as the operation's shapes read it. Throws an InputFault that names every wrong field. */
export function checkInput(
  operation: AnyOperation,
  { query, body, rendered }: OperationInput,
): Pick<OperationInput, 'query' | 'body'> {
  const parts = [
    { place: 'query', shape: operation.query, value: query },
    { place: 'body', shape: rendered === undefined ? operation.body : undefined, value: body },
  ] as const;
  const problems: InputProblem[] = [];
  const checked: { query?: unknown; body?: unknown } = {};
  for (const { place, shape, value } of parts) {
    if (!shape) {
      if (value !== undefined) problems.push({ field: place, message: 'is not taken by this operation' });
      continue;
    }
    const read = shape.safeParse(value);
    if (read.success) checked[place] = read.data;
    else problems.push(...read.error.issues.flatMap((issue) => problemsOf(place, issue, value)));
  }
  if (problems.length > 0) throw new InputFault(operation, problems);
  return checked;
}

type Issue = z.core.$ZodIssue;

function problemsOf(place: string, issue: Issue, value: unknown): readonly InputProblem[] {
  const field =
    place + issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: `${field}.${key}`, message: 'is not a field of this operation' }));
  }
  return [{ field, message: isMissing(issue, value) ? 'is missing' : messageOf(issue) }];
}

const isMissing = ({ path }: Issue, value: unknown): boolean =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  ) === undefined;

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_union':
      return `must be ${[...new Set(issue.errors.flat().flatMap(expectedBy))].join(' or ')}`;
    case 'too_small':
      return issue.origin === 'array'
        ? `needs at least ${issue.minimum} of its entries`
        : `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_format':
      return `must look like ${issue.pattern ?? issue.format}`;
    default:
      return `is wrong: ${issue.message}`;
  }
}

const expectedBy = (issue: Issue): readonly string[] =>
  issue.code === 'invalid_type' ? [typeWords[issue.expected] ?? issue.expected] : [];
