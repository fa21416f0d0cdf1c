/** What starts `schedule run-due` on a system, whichever way that system writes it. */
export interface Calling {
  /** Program and arguments, up to `run-due` and its flags. */
  readonly argv: readonly string[];
  /** The environment that it needs; no secret. */
  readonly env: Readonly<Record<string, string>>;
  readonly profile: string;
  /** The user that pays. */
  readonly user: string;
  /** Where it is started: relative paths of the configuration begin there. */
  readonly folder: string;
  readonly version: string;
}

/** A file to be put where the system looks for it. */
export interface ExportedFile {
  readonly name: string;
  readonly content: string;
  /** Windows reads its tasks so. */
  readonly encoding?: 'utf16le';
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  /** What to do with them, a line each. */
  readonly todo: readonly string[];
}

/** Often enough that a payment is minutes late at most, and seldom enough to cost nothing. */
export const EVERY_MINUTES = 5;

export const nameOf = ({ profile }: Pick<Calling, 'profile'>): string =>
  `paybatch-${profile.toLowerCase().replaceAll('_', '-')}`;
