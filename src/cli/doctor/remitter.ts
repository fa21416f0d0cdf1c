/** Who pays, as the configuration says it: held against what each way of paying with a route has to be told. */
import type { RemitterField } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
import { type Check, ok, problem, warning } from './check.ts';

export const remitter: Check = {
  name: 'remitter',
  title: 'Remitter',
  look({ settings, loaded }) {
    const lacked = (fields: readonly RemitterField[]): string =>
      fields.filter((field) => !settings.remitter?.[field]).join(', ');
    const routed = kinds.flatMap(({ name, title, remitter: needs }) =>
      needs && settings.routes[name] ? [{ title, ...needs }] : [],
    );
    const file = loaded.file ?? 'paybatch.config.json';
    const unpayable = routed.flatMap(({ title, always }) => {
      const fields = lacked(always);
      return fields === '' ? [] : [`${title}: no row can be paid without ${fields} of the remitter.`];
    });
    if (unpayable.length > 0)
      return problem('configuration', unpayable.join(' '), `Add them to "remitter" in ${file}.`);
    // What is made up for a rehearsal goes nowhere.
    if (settings.sandbox) return ok('SANDBOX: what is not configured is made up for the rehearsal.');
    const asked = routed.flatMap(({ title, published = [], standIn }) => [
      ...published.flatMap(({ form, fields }) => {
        const missing = lacked(fields);
        return missing === '' ? [] : [`${title}, ${form}: ${missing}.`];
      }),
      ...(standIn && lacked([standIn.remitter]) !== ''
        ? [`${title}, rows without ${standIn.field}: ${standIn.remitter}.`]
        : []),
    ]);
    if (asked.length === 0) return ok('The configuration says all of who pays that the routes may ask for.');
    return warning(
      `Your provider may ask for more about who pays. ${asked.join(' ')}`,
      `Nothing to do unless a payment is refused for it: then add it to "remitter" in ${file}.`,
    );
  },
};
