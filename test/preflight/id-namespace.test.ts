import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { requireIdNamespace } from '../../src/preflight/batch-name.ts';
import { planOf } from '../ledger/builders.ts';

const { header } = planOf();
const ledgerOf = (latest?: Partial<BatchHeader>) => ({
  latestBatch: async () => (latest ? { ...header, ...latest } : undefined),
});
const settings = (idNamespace: string, sandbox = false) => ({ idNamespace, sandbox, profile: 'live' });

describe('a ledger', () => {
  test.each([
    ['nobody was paid from it', ledgerOf(), settings('acme')],
    ['ids are made as in its latest batch', ledgerOf({ idNamespace: 'acme' }), settings('acme')],
    [
      'the organisation has another name',
      ledgerOf({ idNamespace: 'acme', organisation: 'Judge Ltd' }),
      settings('acme'),
    ],
    ['it is a rehearsal', ledgerOf({ idNamespace: 'acme' }), settings('other', true)],
  ])('takes a batch where %s', async (_, ledger, now) => {
    await expect(requireIdNamespace(ledger, now)).resolves.toBeUndefined();
  });

  test('refuses one whose ids would be made from another namespace, and says how to keep the old one', async () => {
    await expect(requireIdNamespace(ledgerOf({ idNamespace: 'acme' }), settings('acme-2'))).rejects.toMatchObject({
      code: 'configuration',
      exit: 2,
      message:
        'The ids of the payments in this ledger are made from "acme", and the profile "live" would make them from "acme-2": a sheet that was paid before would not be recognised. Nothing was sent.',
      remedy:
        'If the account has a new client id, add "idNamespace": "acme" to the profile and keep it there for good. Another account needs a state folder of its own (PAYBATCH_HOME).',
    });
  });
});
