import { expect, test } from 'vitest';
import { endingOf } from '../../../src/cli/api/api.ts';
import { findRoutes } from '../../../src/service/contract/routes.ts';

test('what is known to help is said, and that nothing was sent', () => {
  const reason = 'the certificate of pay.example:443 is signed by itself';
  const message = 'Name the file in NODE_EXTRA_CA_CERTS. Nothing was sent.';
  const fix = 'Name the file in NODE_EXTRA_CA_CERTS.';
  expect(endingOf(findRoutes, { tag: 'not-sent', reason, fix })).toMatchObject({ exit: 9, level: 'warning', message });
});
