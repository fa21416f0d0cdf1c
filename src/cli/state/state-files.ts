/** Where a profile keeps its state. */
import path from 'node:path';
import type { LoadedConfig } from '../config/load-config.ts';

type Place = Pick<LoadedConfig, 'home' | 'profileName'>;

/** The folder of a profile's state: its ledger, its callbacks, and the books of the practice service. */
export const stateFolder = ({ home, profileName }: Place): string => path.join(home, profileName);

export const ledgerFile = (place: Place): string => path.join(stateFolder(place), 'ledger.db');

/** The mark of a profile's ledger: outside of its folder, because people delete and restore folders. */
export const markFile = ({ home, profileName }: Place): string => path.join(home, 'marks', `${profileName}.json`);

/** What stands before the rest of the name of a folder that a console keeps, until it ends, inside of the state folder. */
export const CONSOLE_FOLDER = 'console';
