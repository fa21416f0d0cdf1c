/** What stands between a client and the practice service: it passes requests on, when and as often as a test wants. */
import { request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Arrived, sendJson } from '../loopback.ts';

export const isSubmission = ({ path }: Arrived): boolean => path.endsWith('/payment-order/new-order');
export const isLookUp = ({ path }: Arrived): boolean => path.endsWith('/payment-order/check-status');

/** Passes a request on to the service at the address, and its answer back, as a test changes it; without a response the answer is lost. */
export function passOn(
  url: string,
  { method, path, query, authorization = '', body }: Arrived,
  back?: ServerResponse,
  change: (answer: string) => string = (answer) => answer,
): void {
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  const headers = { 'content-type': type, authorization };
  const passed = request(`${url}${path}?${query}`, { method, headers }, (answer) => {
    if (!back) return void answer.resume();
    back.writeHead(answer.statusCode ?? 500, { 'content-type': answer.headers['content-type'] ?? '' });
    void text(answer).then((said) => back.end(change(said)));
  });
  passed.on('error', (error) => back && sendJson(back, 502, { message: error.message }));
  passed.end(body);
}
