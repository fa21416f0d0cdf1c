import { Argument } from '@commander-js/extra-typings';
import { cliCommand } from '../command.ts';
import { eventJsonSchema } from '../events/event-schema.ts';
import { answered } from '../screens/answered.ts';

/** What has a schema, by the word for it. */
const schemas = { events: eventJsonSchema } as const;

type Described = keyof typeof schemas;
const described = Object.keys(schemas) as readonly Described[]; // the table's own keys

export const schema = cliCommand({
  example: 'paybatch schema events > paybatch-events.schema.json',
  declare: (command) => command.addArgument(new Argument('<what>', 'events').choices(described)),
  run: async (shell, [what]) => {
    const document = schemas[what]();
    return answered(shell, { type: 'schema', of: what, schema: document }, { document });
  },
});
