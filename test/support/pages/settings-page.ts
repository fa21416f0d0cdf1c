/** The settings of the JSON Schema as rows of a page: name, type, default, and what it is for. */

/** As much of JSON Schema as ours has. */
export interface SettingSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: SettingSchema | false;
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly items?: SettingSchema;
}

export interface SettingRow {
  /** As the file has it; NAME stands for a name of the user's. */
  readonly name: string;
  readonly takes: string;
  /** Empty: there is none, or it is more than a value. */
  readonly initial: string;
  readonly says: string;
}

/** Units stand last in the name of a setting. */
const units = [
  [/Ms$/, 'milliseconds'],
  [/Days$/, 'days'],
  [/Hours$/, 'hours'],
  [/Percent$/, 'percent'],
] as const;

/** Every setting with a value of its own; groups are told by what is below them. */
export function settingsOf(schema: SettingSchema, name = ''): readonly SettingRow[] {
  const { properties, additionalProperties: each, items } = schema;
  const below = (more: string): string => (name === '' ? more : `${name}.${more}`);
  if (properties) return Object.entries(properties).flatMap(([key, one]) => settingsOf(one, below(key)));
  if (typeof each === 'object' && each.properties) return settingsOf(each, below(nameIn(schema)));
  if (items?.properties) return settingsOf(items, `${name}[]`);
  return [{ name, takes: takenBy(schema, name), initial: initialOf(schema), says: schema.description ?? '' }];
}

/** What stands for the name of an entry. */
const nameIn = ({ propertyNames }: SettingSchema): string => (propertyNames?.enum ? 'KIND' : 'NAME');

function takenBy(schema: SettingSchema, name: string): string {
  const { type, enum: choices, items, additionalProperties: each } = schema;
  if (choices) return choices.join(' or ');
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return items?.type === 'string' ? 'texts' : 'list';
  if (type === 'object' && each) return 'a text for each name';
  if (type !== 'integer' && type !== 'number') return 'text';
  const unit = units.find(([pattern]) => pattern.test(name))?.[1] ?? (type === 'integer' ? 'whole number' : 'number');
  return `${unit}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum }: SettingSchema): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) return `, ${minimum ?? 0} to ${maximum}`;
  return minimum === undefined || minimum < 0 ? '' : `, from ${minimum}`;
}

function initialOf({ default: initial }: SettingSchema): string {
  return initial === undefined || typeof initial === 'object' ? '' : String(initial);
}
