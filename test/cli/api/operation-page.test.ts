import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/service/contract/index.ts';
import type { AnyOperation } from '../../../src/service/contract/operation.ts';
import { openDesk } from '../../support/desk/command-line.ts';

const all: readonly AnyOperation[] = Object.values(operations);

describe('the table can be read', () => {
  test('as a list that says whose path is not known', async () => {
    const desk = await openDesk();
    const { exit, lines } = await desk.say(['api', '--list']);
    expect(exit).toBe(0);
    expect(lines).toHaveLength(all.length);
    for (const [index, { name, method, path: at, shape }] of all.entries()) {
      for (const text of [name, method, at ?? 'not known', shape]) expect(lines[index]).toContain(text);
    }
    const told = await desk.emit(['api', '--list']);
    expect(told.events[0]?.['operations']).toEqual(
      all.map(({ name, method, path: at = null, shape, repeatable, summary, spec }) => ({
        name,
        method,
        path: at,
        shape,
        repeatable,
        summary,
        spec,
      })),
    );
  });

  test.each(all.map(({ name }) => name))('as the page of %s', async (name) => {
    const desk = await openDesk();
    const { exit, stdout } = await desk.say(['api', name, '--describe']);
    expect(exit).toBe(0);
    expect(stdout).not.toMatch(/undefined|\[object/);
    expect(stdout.split('\n')[0]).toContain(name);
    const told = await desk.emit(['api', name, '--describe']);
    expect(told.events[0]).toMatchObject({ type: 'api.describe', name, reply: expect.any(Object) });
  });

  test('with every field, its type and whether it is needed', async () => {
    const desk = await openDesk();
    const { stdout } = await desk.say(['api', 'submit-order', '--describe']);
    expect(stdout).toMatch(/paymentOrderLines\[\] +required +list, 1 or more/);
    expect(stdout).toMatch(/paymentOrderLines\[\]\.recipient\.ccy +required +whole number/);
    expect(stdout).toMatch(/paymentOrderLines\[\]\.recipient\.institutionIdentifier +optional +text or null/);
    expect(stdout).toMatch(/paymentOrderLines\[\]\.transaction\.amount +required +number, more than 0/);
    expect(stdout).toMatch(/Spec: "Payment order submission"/);
    const bill = await desk.say(['api', 'validate-bill', '--describe']);
    expect(bill.stdout).toMatch(/transactionType +required +always 3/);
    expect(bill.stdout).toContain('described by the pages of the provider');
    expect(bill.stdout).toContain('Asking again does no harm.');
    const charges = await desk.say(['api', 'fetch-charges', '--describe']);
    expect(charges.stdout).toMatch(/graduatedScaleList\[\]\.value +required +number or text, like/);
    const order = await desk.say(['api', 'find-order', '--describe']);
    expect(order.stdout).toMatch(/IdType +required +always "OriginatorConversationId"/);
    expect(order.stdout).toMatch(/orderLines\[\]\.transactionOutcome\.resultCode +optional +text or number or null/);
  });
});
