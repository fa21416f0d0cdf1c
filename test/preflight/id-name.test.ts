import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { requireIdName } from '../../src/preflight/id-name.ts';
import { planOf } from '../ledger/builders.ts';

const { header } = planOf();
const ledgerOf = (latest?: Partial<BatchHeader>) => ({
  latestBatch: async () => (latest ? { ...header, ...latest } : undefined),
});
const settings = (organisation: string, more: { sandbox?: boolean; idNamespace?: string } = {}) => ({
  organisation,
  sandbox: false,
  ...more,
});

describe('a ledger', () => {
  test.each([
    ['nobody was paid from it', ledgerOf(), settings('Acme')],
    ['its latest batch has the name', ledgerOf({ organisation: 'Acme' }), settings('Acme')],
    ['the old name is kept', ledgerOf({ organisation: 'Acme' }), settings('Acme Group', { idNamespace: 'Acme' })],
    ['it was kept before', ledgerOf({ organisation: 'New', idNamespace: 'Acme' }), settings('Acme')],
    ['it is a rehearsal', ledgerOf({ organisation: 'Acme' }), settings('Other', { sandbox: true })],
  ])('takes a batch where %s', async (_, ledger, now) => {
    await expect(requireIdName(ledger, now)).resolves.toBeUndefined();
  });

  test('refuses one whose ids would be made from another name, and says how to keep the old one', async () => {
    await expect(requireIdName(ledgerOf({ organisation: 'Acme' }), settings('Acme Group'))).rejects.toMatchObject({
      code: 'configuration',
      exit: 2,
      message:
        'The payments of this ledger were identified as those of "Acme", and the configuration now says "Acme Group": a sheet that was paid before would not be recognised. Nothing was sent.',
      remedy:
        'If the organisation has a new name, add "idNamespace": "Acme" to the configuration and keep it there for good; else put the name back. Another organisation needs a state folder of its own (PAYBATCH_HOME).',
    });
  });
});
