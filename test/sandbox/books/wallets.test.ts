import { describe, expect, test } from 'vitest';
import { balanceOf, Wallets } from '../../../src/sandbox/books/wallets.ts';
import { rails } from '../../../src/sandbox/catalogue.ts';
import { amountIn } from '../../support/amounts.ts';

/** A wallet of 1,000.00 that received 300.00 and then paid 100.00. */
function worked(): { wallets: Wallets; fee: bigint } {
  const wallets = new Wallets();
  wallets.fund('KES', 100_000n);
  wallets.finish({ direction: 'in', amount: amountIn('300') }, 'completed', 1);
  const [rail] = rails;
  if (rail?.scale.currency !== 'KES') throw new Error('the first rail charges in KES');
  const { fee } = wallets.finish({ direction: 'out', amount: amountIn('100'), scale: rail.scale }, 'completed', 2);
  return { wallets, fee };
}

describe('a wallet', () => {
  test('holds its opening and what it received, less what it paid and the fees', () => {
    const { wallets, fee } = worked();
    const wallet = wallets.get('KES');
    expect(wallet).toMatchObject({ currency: 'KES', opening: 100_000n, received: 30_000n, paid: 10_000n, fees: fee });
    expect(wallet && balanceOf(wallet)).toBe(120_000n - fee);
  });

  test('that is funded after it received and paid holds what it was funded with, and keeps what moved', () => {
    const { wallets, fee } = worked();
    wallets.fund('kes', 50_000n);
    const wallet = wallets.get('KES');
    expect(wallet && balanceOf(wallet)).toBe(50_000n);
    expect(wallet).toMatchObject({ received: 30_000n, paid: 10_000n, fees: fee, opening: 30_000n + fee });
  });
});
