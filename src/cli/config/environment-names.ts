/** The environment variables that paybatch takes settings from. The page on settings lists them, and `config show` names them. */

interface EnvironmentName {
  readonly name: string;
  readonly says: string;
  /** The setting of the file that the variable overrides. */
  readonly setting?: string;
  /** What `config show` calls the value of the variable. */
  readonly told?: string;
  /** The flag that overrides the variable. */
  readonly flag?: string;
}

/** Roughly the account first, then the places of files, then how paybatch talks to people. */
export const environmentNames: readonly EnvironmentName[] = [
  {
    name: 'PAYBATCH_PROFILE',
    says: 'Profile of the command',
    setting: 'defaultProfile',
    told: 'profile',
    flag: '--profile',
  },
  {
    name: 'PAYBATCH_LANG',
    says: 'Language of problems and of the pages in a browser: en, sw or fr',
    setting: 'language',
    told: 'language',
    flag: '--lang',
  },
  {
    name: 'PAYBATCH_BASE_URL',
    says: 'Address of the service; alone, it is the profile `env`',
    setting: 'profiles.NAME.baseUrl',
    told: 'baseUrl',
  },
  {
    name: 'PAYBATCH_TOKEN_URL',
    says: 'Address that issues tokens',
    setting: 'profiles.NAME.tokenUrl',
    told: 'tokenUrl',
  },
  {
    name: 'PAYBATCH_CLIENT_ID',
    says: 'Name of the account at the provider',
    setting: 'profiles.NAME.clientId',
    told: 'clientId',
  },
  { name: 'PAYBATCH_CLIENT_SECRET', says: 'The client secret itself', told: 'clientSecret' },
  {
    name: 'PAYBATCH_CLIENT_SECRET_FILE',
    says: 'File that holds the client secret',
    setting: 'profiles.NAME.clientSecretFile',
    told: 'clientSecret',
  },
  { name: 'PAYBATCH_SCOPE', says: 'Scope of the token', setting: 'profiles.NAME.scope', told: 'scope' },
  {
    name: 'PAYBATCH_SECRET_ORIGINS',
    says: 'Further origins to which the client secret may be sent, separated by commas',
    setting: 'profiles.NAME.secretOrigins',
    told: 'secretOrigins',
  },
  {
    name: 'PAYBATCH_LEDGER',
    says: 'PostgreSQL that has the ledger; never that of a rehearsal',
    setting: 'profiles.NAME.ledger',
    told: 'ledger',
  },
  { name: 'PGPASSWORD', says: 'Password of that PostgreSQL itself' },
  { name: 'PGSERVICEFILE', says: 'File with services of PostgreSQL; missing: `.pg_service.conf` in the home folder' },
  { name: 'PGPASSFILE', says: 'File with passwords of PostgreSQL; missing: `.pgpass` in the home folder' },
  { name: 'PAYBATCH_CONFIG', says: 'The configuration file', flag: '--config' },
  {
    name: 'PAYBATCH_HOME',
    says: 'The state folder, and nothing else: settings and keys stay where they are (below)',
    told: 'home',
  },
  { name: 'PAYBATCH_KEYS', says: 'Folder of the keys that sign live ledgers', told: 'keys' },
  {
    name: 'PAYBATCH_MACHINE',
    says: 'Name of this computer, where its system has none that stays',
    told: 'machine',
  },
  {
    name: 'PAYBATCH_ACCESSIBLE',
    says: '`1`: plain lines for a screen reader; signs are words, and nothing is drawn again',
  },
  { name: 'NO_COLOR', says: 'Set to anything: no colours', flag: '--no-color' },
  { name: 'CI', says: 'Set to anything: no questions are asked', flag: '--no-input' },
  { name: 'LANG', says: 'Language of the system, where nothing else says one' },
];
