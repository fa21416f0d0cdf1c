import { describe, expect, test } from 'vitest';
import { bytesFor, requireSpace } from '../../src/preflight/disk-space.ts';

describe('the disk of the state folder', () => {
  test.each([0, 1, 100_000])('may have just enough for a batch of %i rows', (rows) => {
    expect(() => requireSpace(rows, bytesFor(rows))).not.toThrow();
  });

  test('with a byte less is refused before anything is sent, in figures that can be compared', () => {
    const refused = () => requireSpace(5000, bytesFor(5000) - 1);
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'ledger-unsafe',
        exit: 10,
        message:
          'The disk of the state folder has 142 MiB left, and the ledger of this batch may need 143 MiB. Nothing was sent.',
        remedy: 'Free some space on that disk, or set PAYBATCH_HOME to another one. Then run it again.',
      }),
    );
    expect(() => requireSpace(100_000, 0)).toThrow('has 0 MiB left, and the ledger of this batch may need 1,627 MiB.');
  });

  test('needs 64 MiB for every batch, and 16 KiB for each row', () => {
    expect([bytesFor(0), bytesFor(3)]).toEqual([67_108_864, 67_158_016]);
  });
});
