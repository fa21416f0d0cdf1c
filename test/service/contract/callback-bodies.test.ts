import { describe, expect, test } from 'vitest';
import { callbackShapes } from '../../../src/service/contract/callback-bodies.ts';
import { asWritten, specCallbacks } from '../../support/spec-messages.ts';

const shapes = new Map(Object.entries(callbackShapes));
const read = [...specCallbacks].filter(([, one]) => one.read !== false);

describe('callback bodies written by hand from the specification', () => {
  test('are about everything that the service calls back about', () => {
    expect([...new Set(read.map(([, { topic }]) => topic))].toSorted()).toEqual([...shapes.keys()].toSorted());
  });

  test.each(read)('%s is read, and nothing of it is lost', (_, { topic, body }) => {
    const written = asWritten(body);
    expect(shapes.get(topic)?.parse(written)).toEqual(written);
  });

  test.each([...specCallbacks].filter(([, one]) => one.read === false))('%s is not taken for a result', (_, one) => {
    expect(shapes.get(one.topic)?.safeParse(one.body).success).toBe(false);
  });

  test.each(read)('%s is not read when it names no request', (_, { topic, body }) => {
    const nameless = Object.fromEntries(
      Object.entries(Object(asWritten(body))).filter(
        ([name]) => !/^(originatorConversationId|systemTraceAuditNumber)$/i.test(name),
      ),
    );
    expect(shapes.get(topic)?.safeParse(nameless).success).toBe(false);
  });

  test.each([undefined, null, '', 'paid', 4, [], {}])('%j is no callback of any kind', (body) => {
    for (const shape of shapes.values()) expect(shape.safeParse(body).success).toBe(false);
  });
});
