/** Who pays, as the configuration says it: held against what each way of paying with a route has to be told. */
import type { RemitterField } from '../../domain/settings.ts';
import { kinds } from '../../kinds/index.ts';
import { type Check, ok, problem, warning } from './check.ts';

export const remitter: Check = {
  name: 'remitter',
  title: 'Remitter',
  look({ settings, loaded }) {
    const lacked = (fields: readonly RemitterField[]): string =>
      fields
        .filter((field) => !settings.remitter?.[field])
        .map((field) => `remitter.${field}`)
        .join(', ');
    const routed = kinds.flatMap(({ name, title, remitter: needs }) =>
      needs && settings.routes[name] ? [{ title, ...needs }] : [],
    );
    const file = loaded.file ?? 'paybatch.config.json';
    const unpayable = routed.flatMap(({ title, always }) => {
      const fields = lacked(always);
      return fields === '' ? [] : [`${title}: no row can be paid without ${fields}.`];
    });
    if (unpayable.length > 0) return problem('configuration', unpayable.join(' '), `Add them to ${file}.`);
    // What is made up for a rehearsal goes nowhere.
    if (settings.sandbox) return ok('SANDBOX: what is not configured is made up for the rehearsal.');
    const asked = routed.flatMap(({ title, published = [], standIn }) => [
      ...published.flatMap(({ form, fields }) => {
        const missing = lacked(fields);
        return missing === '' ? [] : [`${title}: for ${form} the provider may also ask for ${missing}.`];
      }),
      ...(standIn && lacked([standIn.remitter]) !== ''
        ? [`${title}: a row without ${standIn.field} needs remitter.${standIn.remitter}.`]
        : []),
    ]);
    if (asked.length === 0) return ok('The configuration says all of who pays that the routes may ask for.');
    return warning(asked.join(' '), `Add what your provider asks for to ${file}; the rest may stay out.`);
  },
};
