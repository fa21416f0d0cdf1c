/** Whether a configuration file is obeyed. It decides where money and secrets go, so who could have written it matters. */
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import type { ReadFile } from './config-file.ts';
import { type Trusted, trustedAt } from './trusted-files.ts';

/**
 * Why a file is believed; undefined: because it is the user's own, or the administrator's, and somebody said that it counts. Any
 * other one was trusted as it stands: one that lay in a folder, or that others may write. A Fault `configuration` when it was not.
 */
export function requireBelieved(file: ReadFile, home: string): Trusted | undefined {
  if (file.by !== 'found' && file.otherWriter === undefined) return undefined;
  const trusted = trustedAt(home, file.path);
  if (trusted?.sha256 === file.sha256) return trusted;
  const place = shown(file.path);
  const why = trusted
    ? `has changed since ${shown(trusted.by)} trusted it (${trusted.at.slice(0, 10)})`
    : file.by === 'found'
      ? 'lies here, and nobody has trusted it'
      : 'may be from somebody else, and nobody has trusted it';
  throw new Fault(
    'configuration',
    `The configuration ${place} ${why}. It would decide where money and secrets go. Nothing was sent.`,
    `See what it sets, and trust it once: paybatch config trust ${typedPath(place)}   To leave it aside, name another one with --config.`,
    {
      details:
        file.otherWriter === undefined ? [] : [`Others could have written it: ${file.otherWriter}.`, ...ownWay(file)],
    },
  );
}

/** A file that was named needs no trust once it is the user's alone (umask 002). */
const ownWay = ({ by, path }: ReadFile): readonly string[] =>
  by === 'found' ? [] : [`If it is yours and nobody else did: chmod go-w ${typedPath(shown(path))}`];
