/** Reads the file of the client secret: only one that nobody else can read or write, because who has the secret can pay. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { Fault } from '../../domain/fault.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { readerWho, strangersLink, strangerWho } from './file-standing.ts';

/** A secret is a line; somebody named a disk instead. */
const BYTES_MAX = 65_536;

/** The secret, without blanks around it. A Fault `configuration` when there is none to be had, or others have it too. */
export function readSecretFile(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const stats = fstatSync(handle);
      const link = strangersLink(file);
      const wrong =
        link === undefined ? (strangerWho(stats) ?? readerWho(stats)) : `the link ${link} is another user's`;
      if (wrong !== undefined) throw open(file, wrong);
      if (stats.size > BYTES_MAX) throw unreadable(file, 'it is too long');
      return readFileSync(handle, 'utf8').trim();
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error && 'code' in error)) throw error;
    throw unreadable(file, String(error.code), error);
  }
}

const unreadable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault(
    'configuration',
    `The client secret file ${file} cannot be read (${why}).`,
    'Check the path and its rights. Nothing was sent.',
    { cause },
  );

const open = (file: string, why: string): Fault =>
  new Fault(
    'configuration',
    `The client secret file ${file} is not for you alone: ${why}. Nothing was sent.`,
    `chmod 600 ${typedPath(file)}, as the user who pays; if others use this machine, ask for a new secret.`,
    {
      details: [
        'Mounted in Kubernetes: defaultMode 0440 with fsGroup. In Docker: mode 0400 with the uid of the process.',
        'Where neither can be set, give the secret as PAYBATCH_CLIENT_SECRET from the secret store.',
      ],
    },
  );
