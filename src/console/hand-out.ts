/** Files that are handed out: made in a folder of their own, for its user alone, and gone when the answer is. Always a download, never a page. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { withHidden } from '../domain/shown-text.ts';

/** Makes a file by `make`, which is given a folder for it, and gives the answer that sends it. */
export async function handOut(ownFolder: string, make: (folder: string) => Promise<string>): Promise<Response> {
  const folder = await mkdtemp(path.join(ownFolder, 'handout-'));
  const forget = () => rm(folder, { recursive: true, force: true });
  try {
    const file = await make(folder);
    const handle = await open(file, 'r');
    const { size } = await handle.stat();
    const stream = handle.createReadStream();
    // Also where the browser breaks off. What cannot be removed now goes with the console.
    stream.once('close', () => void forget().catch(() => undefined));
    // Two declarations of the same stream: that of Node.js, and that of the web.
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

/** RFC 6266: the name for browsers that know UTF-8, and one of plain letters for the others. */
function attachment(name: string): string {
  const plain = withHidden(name, () => '_').replace(/[^\w. ()-]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
