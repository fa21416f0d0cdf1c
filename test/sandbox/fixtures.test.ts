/** The practice service held to messages that were written by hand from the text of the specification. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/service/contract/index.ts';
import type { AnyOperation } from '../../src/service/contract/operation.ts';
import { serve } from '../support/loopback.ts';
import {
  asWritten,
  expectBody,
  filledIn,
  messageNamed,
  operationOf,
  type SpecMessage,
  specCallbacks,
  specMessages,
} from '../support/spec-messages.ts';
import { practise } from './practice.ts';
import { sendGiven, sendMessage } from './send-message.ts';

describe('the practice service answers as the specification says', () => {
  test.each([...specMessages.keys()])('%s', async (name) => {
    const message = messageNamed(name);
    const { reply, scenario = '' } = message;
    const practice = await practise({ scenario });
    const answers = await sendGiven(practice, message);
    practice.clock.pass(message.afterMs ?? 0);
    const answer = await sendMessage(practice, message, answers);
    expect(answer.status, answer.text).toBe(reply.status);
    for (const [header, pattern] of Object.entries(reply.headers ?? {})) {
      expect(answer.headers.get(header)).toMatch(new RegExp(pattern));
    }
    if (reply.body === undefined) expect(answer.text).toBe(reply.text ?? '');
    else
      expectBody(
        answer.body,
        filledIn(reply.body, (given) => answers.get(given)),
        message,
      );
  });

  test.each(Object.values<AnyOperation>(operations).map((operation) => [operation.name, operation] as const))(
    '%s has a message that it answers well, and one that it refuses where it takes anything',
    (name, { query, body }) => {
      const about = Array.from(specMessages.values()).filter((message) => operationOf(message)?.name === name);
      const statuses = about.map(({ reply }) => reply.status);
      expect(statuses).toContain(200);
      const isKnown = operationOf(asWritten(about[0] as SpecMessage))?.path !== undefined;
      if (isKnown && (query || body)) expect(statuses.some((status) => status >= 400)).toBe(true);
    },
  );
});

const CALLBACKS_WRITTEN = 'https://callbacks.example.test/';

/** The same message with another host to call back. */
const calledBackAt = <T>(value: T, url: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll(CALLBACKS_WRITTEN, `${url}/`)) as T;

describe('the practice service calls back as the specification says', () => {
  test.each([...specCallbacks].filter(([, { sentAfter }]) => sentAfter !== undefined))(
    '%s',
    async (_, callback) => {
      const receiver = await serve((_request, response) => void response.writeHead(200).end());
      const practice = await practise();
      const message = calledBackAt(messageNamed(callback.sentAfter ?? ''), receiver.url);
      const answers = await sendGiven(practice, message);
      const { status, text } = await sendMessage(practice, message, answers);
      expect(status, text).toBe(200);
      // Time passes; the service notices at the next thing that it is asked.
      practice.clock.pass(60_000);
      await practice.get('/__sandbox/books');
      const position = callback.topic === 'deposit' && callback.read !== false ? 1 : 0;
      await expect.poll(() => receiver.arrived.length).toBeGreaterThan(position);
      const arrived = receiver.arrived[position];
      expect(arrived?.method).toBe('POST');
      const written = filledIn(calledBackAt(callback.body, receiver.url), (name) => answers.get(name));
      expectBody(JSON.parse(arrived?.body ?? ''), written, callback);
    },
    20_000,
  );
});
