import { statSync } from 'node:fs';
import { type Check, ok, warning } from './check.ts';

export const stateFolder: Check = {
  name: 'state-folder',
  title: 'State folder',
  look({ folder }) {
    const rights = statSync(folder).mode & 0o777;
    const figures = { folder, rights: rights.toString(8).padStart(4, '0') };
    if (process.platform === 'win32') return ok(`${folder}; its rights are not judged on Windows.`, figures);
    if ((rights & 0o077) === 0) return ok(`${folder}, for the owner alone.`, figures);
    return warning(
      `${folder} was open to others (rights ${figures.rights}): it holds names, phones and amounts.`,
      'The opened ledger has closed it. Find out what opened it: a copy or a restored back-up may do so again.',
      figures,
    );
  },
};
