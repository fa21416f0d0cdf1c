/** The configuration as JSON Schema, so that an editor completes its settings and marks what is misspelt. */
import { z } from 'zod';
import { configSchema } from './config-schema.ts';

/** Draft 7: the latest that editors know as a whole. A setting without a name here is refused, as paybatch refuses it. */
export const settingsJsonSchema = (): Readonly<Record<string, unknown>> => ({
  ...z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  title: 'The configuration of paybatch',
});
