/** Questions about a bill share their path with its payment: what is typed wrongly must not become the other. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountIn, openService } from '../../support/desk/account.ts';
import { answerIn } from '../../support/desk/api-calls.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { messageNamed } from '../../support/spec-messages.ts';

const payment = { ...Object(messageNamed('bill-payment').request.body), serviceId: '4101' };
delete payment.routeId;
const question = { serviceId: '4101', accountNumber: '37000777' };

/** A desk with an account, at which nothing is confirmed and nobody can be asked. */
async function office() {
  const [desk, service] = [await openDesk(), await openService()];
  Object.assign(desk.env, accountIn(service));
  return { desk, service };
}

describe('on a live account', () => {
  test.each([
    ['query-bill', 1],
    ['validate-bill', 3],
  ])('%s is answered without a confirmation, moves nothing and leaves no record', async (name, transactionType) => {
    const { desk, service } = await office();
    const input = JSON.stringify({ ...question, transactionType });
    const told = await desk.emit(['api', name, '--data', '-'], { input });
    expect(told.exit).toBe(0);
    expect(answerIn(told)).toMatchObject({ tag: 'accepted', value: { message: { accountNumber: '37000777' } } });
    expect(service.books()).toMatchObject({ register: {}, paid: {}, requests: { [name]: 1 } });
    expect(existsSync(path.join(desk.home, 'env', 'api-calls.ndjson'))).toBe(false);
  });

  test.each([
    ['query-bill', { ...payment }],
    ['validate-bill', { ...payment }],
    ['query-bill', { ...question, transactionType: 2 }],
    ['validate-bill', { ...question, transactionType: 2 }],
    ['validate-bill', { ...question, transactionType: 1 }],
    ['validate-bill', { ...payment, transactionType: 3 }],
    ['pay-bill', { ...payment, transactionType: 1 }],
    ['pay-bill', { ...payment, transactionType: 3 }],
  ])('%s with the body of another is refused before anything leaves', async (name, body) => {
    const { desk, service } = await office();
    const told = await desk.emit(['api', name, '--data', '-', '--confirm', name], { input: JSON.stringify(body) });
    expect(told).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect(service.books().requests).toEqual({});
  });

  test('pay-bill is still made once only, and by its name', async () => {
    const { desk, service } = await office();
    const input = JSON.stringify(payment);
    expect(await desk.emit(['api', 'pay-bill', '--data', '-'], { input })).toMatchObject({ exit: 8 });
    expect((await desk.emit(['api', 'pay-bill', '--data', '-', '--confirm', 'pay-bill'], { input })).exit).toBe(0);
    const again = await desk.emit(['api', 'pay-bill', '--data', '-', '--confirm', 'pay-bill'], { input });
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(service.books().requests['pay-bill']).toBe(1);
  });
});
