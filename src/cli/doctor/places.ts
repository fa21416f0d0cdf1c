import { type Check, ok } from './check.ts';

/** Three places, which one name of the environment each moves: people expect that one of them moves all. */
export const places: Check = {
  name: 'places',
  title: 'Places',
  look({ loaded: { home, file, keysFolder, account } }) {
    const settings = file ?? 'no file';
    const keys = account ? keysFolder : 'none, as a rehearsal needs none';
    return ok(
      `State in ${home}, settings in ${settings}, keys of ledgers: ${keys}. PAYBATCH_HOME moves the state alone, PAYBATCH_CONFIG the settings, PAYBATCH_KEYS the keys.`,
      { state: home, settings: file ?? null, keys: account ? keysFolder : null },
    );
  },
};
