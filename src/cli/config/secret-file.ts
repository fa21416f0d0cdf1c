/** Reads the file of the client secret: only one that nobody else can read or write, because who has the secret can pay. */
import { Fault } from '../../domain/fault.ts';
import { forMeAlone } from '../../files/file-rights.ts';
import { MOUNTED_SECRETS, readPrivateFile } from '../../files/private-file.ts';

/** The secret, without blanks around it. A Fault `configuration` when there is none to be had, or others have it too. */
export function readSecretFile(file: string): string {
  try {
    const read = readPrivateFile(file);
    if ('others' in read) throw open(file, read.others);
    return read.text.trim();
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(file, error.message, error);
    if (error instanceof Fault || !(error instanceof Error && 'code' in error)) throw error;
    throw unreadable(file, String(error.code), error);
  }
}

const unreadable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault(
    'configuration',
    `The client secret file ${file} cannot be read (${why}).`,
    why === 'ENOENT'
      ? 'Check the path, or keep a secret there: paybatch login. Nothing was sent.'
      : 'Check the path and its rights. Nothing was sent.',
    { cause },
  );

const open = (file: string, why: string): Fault =>
  new Fault(
    'configuration',
    `The client secret file ${file} is not for you alone: ${why}. Nothing was sent.`,
    `${forMeAlone(file)}, as the user who pays; if others use this machine, ask for a new secret.`,
    {
      details: [
        MOUNTED_SECRETS,
        'Where neither can be set, give the secret as PAYBATCH_CLIENT_SECRET from the secret store.',
      ],
    },
  );
