/** The practice service as the double of a real one: what it answers, the verifier must understand. */
import { describe, expect, test } from 'vitest';
import { openService } from '../../support/desk/account.ts';
import { quickPolling, verified } from './verified-sheet.ts';

const HEADINGS = ['Name', 'Phone', 'Bank Code', 'Bank Name', 'Account Number', 'Amount'];
const wallet = (name: string, phone: string) => [name, phone, '', '', '', '1000'];
const bank = (name: string, account: string) => [name, '', '68', 'Practice Bank', account, '5000'];

const QUICK = 'settle-min=5,settle-max=20';

describe('the practice service', () => {
  test('tells the holders of wallets and bank accounts', async () => {
    const { url } = await openService(QUICK);
    const { verdicts } = await verified(url, [
      HEADINGS,
      wallet('Jane Wanjiku', '0712345678'),
      wallet('Hasan Wanjiku', '0712345677'),
      bank('Fatuma Odhiambo', '0012345678955'),
      bank('Otieno Traders', '0012345678955'),
      wallet('Somebody', '0712340011'),
    ]);
    expect(verdicts).toEqual([
      [2, 'match', 'JANE WANJIKU'],
      [3, 'close-match', 'HASSAN WANJIKU'],
      [4, 'match', 'FATUMA ODHIAMBO'],
      [5, 'no-match', 'FATUMA ODHIAMBO'],
      [6, 'no-match', 'NO SUCH NAME'],
    ]);
  });

  test('tells of accounts that nobody can validate, and of those that take too long, why', async () => {
    const { url } = await openService(QUICK);
    const { findings } = await verified(url, [HEADINGS, wallet('Ali', '0712340012'), wallet('Ann', '0712340003')]);
    expect(findings.map(({ verdict }) => verdict)).toEqual(['not-possible', 'not-possible']);
    expect(findings[0]?.reason).toContain('Invalid credit account');
    expect(findings[1]?.reason).toContain('no final answer in time: Pending');
  });

  test('may lose requests and answers, and stumble: every verdict is right all the same', async () => {
    const trouble = 'lost-answer=0.1,reset-before=0.03,error-before=0.03,error-after=0.1,garbage=0.05';
    const { url } = await openService(`${QUICK},${trouble},seed=7`);
    const rows = Array.from({ length: 40 }, (_, at) => wallet('Jane Wanjiku', `07123${String(at).padStart(3, '0')}78`));
    const { verdicts, reasons } = await verified(url, [HEADINGS, ...rows], {
      concurrency: 8,
      polling: { ...quickPolling, deadlineMs: 5_000 },
    });
    const wrong = verdicts.filter(([, verdict]) => verdict !== 'match');
    expect([wrong, reasons.filter(Boolean)]).toEqual([[], []]);
    expect(verdicts).toHaveLength(40);
  });
});
