/** Sends the messages that were written by hand, with the values that earlier answers gave for their places. */
import { expect } from 'vitest';
import { filledIn, messageNamed, type SpecMessage } from '../support/spec-messages.ts';
import type { Answer, Practice } from './practice.ts';

/** What was answered, by name of the message. */
export type Answers = Map<string, unknown>;

export function sendMessage(practice: Practice, message: SpecMessage, answers: Answers): Promise<Answer> {
  const request = filledIn(message.request, (name) => answers.get(name));
  const { method, path, query, form, body, token } = request;
  const authorization = token === undefined ? practice.bearer['authorization'] : token && `Bearer ${token}`;
  const headers: Record<string, string> = authorization ? { authorization } : {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  const payload = form ? new URLSearchParams(form) : body === undefined ? null : JSON.stringify(body);
  const search = query ? `?${new URLSearchParams(inText(query))}` : '';
  return practice.send(path + search, { method, headers, body: payload });
}

/** Numbers of a query as they are written. */
export const inText = (query: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** Sends the messages that stand before a message; each must be answered well. */
export async function sendGiven(practice: Practice, { given = [] }: SpecMessage): Promise<Answers> {
  const answers: Answers = new Map();
  for (const name of given) {
    const { status, body } = await sendMessage(practice, messageNamed(name), answers);
    expect(status, name).toBe(200);
    answers.set(name, body);
  }
  return answers;
}
