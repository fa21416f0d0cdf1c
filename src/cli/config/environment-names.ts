/** The environment variables that paybatch takes settings from. The page on settings lists them, and `config show` names them. */

interface EnvironmentName {
  readonly name: string;
  readonly says: string;
  /** The setting of the file that the variable overrides. */
  readonly setting?: string;
  /** What `config show` calls the value of the variable. */
  readonly inForceAs?: string;
  /** The flag that overrides the variable. */
  readonly flag?: string;
  /** Present if the value is a secret: the variable that names a file with it instead. */
  readonly secretFile?: string;
}

/** Roughly the account first, then the places of files, then how paybatch talks to people. */
export const environmentNames: readonly EnvironmentName[] = [
  {
    name: 'PAYBATCH_PROFILE',
    says: 'Profile of the command',
    setting: 'defaultProfile',
    inForceAs: 'profile',
    flag: '--profile',
  },
  {
    name: 'PAYBATCH_LANG',
    says: 'en, sw or fr',
    setting: 'language',
    inForceAs: 'language',
    flag: '--lang',
  },
  {
    name: 'PAYBATCH_BASE_URL',
    says: 'Address of the service; alone, it makes the profile `env`',
    setting: 'profiles.NAME.baseUrl',
    inForceAs: 'baseUrl',
  },
  {
    name: 'PAYBATCH_TOKEN_URL',
    says: 'Address that issues tokens',
    setting: 'profiles.NAME.tokenUrl',
    inForceAs: 'tokenUrl',
  },
  {
    name: 'PAYBATCH_CLIENT_ID',
    says: 'Name of the account at the provider',
    setting: 'profiles.NAME.clientId',
    inForceAs: 'clientId',
  },
  {
    name: 'PAYBATCH_CLIENT_SECRET',
    says: 'The client secret itself',
    inForceAs: 'clientSecret',
    secretFile: 'PAYBATCH_CLIENT_SECRET_FILE',
  },
  {
    name: 'PAYBATCH_CLIENT_SECRET_FILE',
    says: 'File that holds the client secret',
    setting: 'profiles.NAME.clientSecretFile',
    inForceAs: 'clientSecret',
  },
  { name: 'PAYBATCH_SCOPE', says: 'Scope of the token', setting: 'profiles.NAME.scope', inForceAs: 'scope' },
  {
    name: 'PAYBATCH_SECRET_ORIGINS',
    says: 'Origins, separated by commas',
    setting: 'profiles.NAME.secretOrigins',
    inForceAs: 'secretOrigins',
  },
  {
    name: 'PAYBATCH_LEDGER',
    says: 'PostgreSQL with the ledger, except that of rehearsals',
    setting: 'profiles.NAME.ledger',
    inForceAs: 'ledger',
  },
  { name: 'PGPASSWORD', says: 'Password of PostgreSQL', secretFile: 'PGPASSFILE' },
  { name: 'PGSERVICEFILE', says: 'Service file of PostgreSQL; missing: `~/.pg_service.conf`' },
  { name: 'PGPASSFILE', says: 'Password file of PostgreSQL; missing: `~/.pgpass`' },
  { name: 'PAYBATCH_CONFIG', says: 'The configuration file', flag: '--config' },
  {
    name: 'PAYBATCH_HOME',
    says: 'The state folder, not settings and keys',
    inForceAs: 'home',
  },
  { name: 'PAYBATCH_KEYS', says: 'Folder of the keys of live ledgers', inForceAs: 'keys' },
  {
    name: 'PAYBATCH_MACHINE',
    says: 'Name of this computer, if it has no permanent one',
    inForceAs: 'machine',
  },
  {
    name: 'PAYBATCH_ACCESSIBLE',
    says: '`1`: plain lines for a screen reader',
  },
  { name: 'NODE_EXTRA_CA_CERTS', says: 'File with further certificate authorities' },
  { name: 'NODE_USE_SYSTEM_CA', says: '`1`: the certificate authorities of the system as well' },
  { name: 'NO_COLOR', says: 'Any value: no colours', flag: '--no-color' },
  { name: 'CI', says: 'Any value: no questions', flag: '--no-input' },
  { name: 'LANG', says: 'Language of the system, if nothing else sets one' },
];
