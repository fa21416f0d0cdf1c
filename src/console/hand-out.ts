/**
 * Downloads: each file is made in a private folder of its own, and deleted once it has been sent. A file is always a download,
 * never a page.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { withHidden } from '../domain/shown-text.ts';

/** Makes a file with `make`, which is given a folder for it, and returns the response that sends the file. */
export async function handOut(ownFolder: string, make: (folder: string) => Promise<string>): Promise<Response> {
  const folder = await mkdtemp(path.join(ownFolder, 'handout-'));
  const forget = () => rm(folder, { recursive: true, force: true });
  try {
    const file = await make(folder);
    const handle = await open(file, 'r');
    const { size } = await handle.stat();
    const stream = handle.createReadStream();
    // The stream also closes when the browser breaks off. What cannot be removed now is removed when the console ends.
    stream.once('close', () => void forget().catch(() => undefined));
    // Node.js and the web declare the same stream differently.
    return new Response(Readable.toWeb(stream) as ReadableStream, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': attachment(path.basename(file)),
      },
    });
  } catch (error) {
    await forget();
    throw error;
  }
}

/** RFC 6266: the UTF-8 name for browsers that understand it, and an ASCII name for the others. */
function attachment(name: string): string {
  const plain = withHidden(name, () => '_').replace(/[^\w. ()-]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
