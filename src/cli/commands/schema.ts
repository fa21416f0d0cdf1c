import { Argument } from '@commander-js/extra-typings';
import { answered, cliCommand } from '../command.ts';
import { settingsJsonSchema } from '../config/config-schema.ts';
import { eventJsonSchema, rowJsonSchema } from '../events/event-schema.ts';

/** The schemas by name. */
const schemas = { settings: settingsJsonSchema, events: eventJsonSchema, rows: rowJsonSchema } as const;

type Described = keyof typeof schemas;
const described = Object.keys(schemas) as readonly Described[]; // the table's own keys

export const schema = cliCommand({
  example: 'paybatch schema settings > paybatch.schema.json',
  moreExamples: ['paybatch schema events > paybatch-events.schema.json', 'paybatch schema rows'],
  declare: (command) =>
    command.addArgument(
      new Argument(
        '<what>',
        'settings: the configuration file; events: lines of --json; rows: lines of --jsonl',
      ).choices(described),
    ),
  run: async (shell, [what]) => {
    const document = schemas[what]();
    return answered(shell, { type: 'schema', of: what, schema: document }, { document });
  },
});
