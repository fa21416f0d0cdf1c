/** A text that is handed over is read whole, or the command ends and says why. */
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { inputText } from '../../src/cli/input-text.ts';

const read = (stream: Readable, signal = new AbortController().signal): Promise<string> =>
  inputText(stream, { name: 'stdin', bytesMax: 20, signal, outcome: 'Nothing was sent.', remedy: 'Try again.' });
const of = (...bytes: readonly Buffer[]): Readable => Readable.from(bytes);

describe('a text that is handed over', () => {
  test.each([
    ['UTF-8', Buffer.from('Zoë')],
    ['UTF-8 with the mark that Windows writes', Buffer.from('\ufeffZoë')],
    ['UTF-16, as PowerShell writes it', Buffer.from('\ufeffZoë', 'utf16le')],
  ])('is read in %s', async (_, bytes) => {
    expect(await read(of(bytes))).toBe('Zoë');
  });

  test('may be cut anywhere on its way', async () => {
    const bytes = Buffer.from('Zoë');
    expect(await read(of(bytes.subarray(0, 3), bytes.subarray(3)))).toBe('Zoë');
  });

  test.each([
    ['in another encoding', Buffer.from('Zoë', 'latin1'), 'some of its bytes are not UTF-8'],
    ['that breaks off', Buffer.from('\ufeffZ', 'utf16le').subarray(0, 3), 'some of its bytes are not UTF-16LE'],
    ['that is too long', Buffer.alloc(21, 'a'), 'stdin is larger than 20 bytes. Nothing was sent.'],
  ])('is refused %s', async (_, bytes, says) => {
    await expect(read(of(bytes))).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(says) });
  });

  test('that never comes holds up nobody who stops the command', async () => {
    const stop = new AbortController();
    const text = read(new PassThrough(), stop.signal);
    stop.abort('SIGINT');
    await expect(text).rejects.toMatchObject({ code: 'declined', message: 'Stopped. Nothing was sent.' });
  });
});
