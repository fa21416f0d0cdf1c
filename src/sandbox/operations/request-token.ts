import { isFields, textOf } from '../fields.ts';
import { json, type Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** Spec: "Token request". */
const SCOPE = 'service_api';

/** Spec: "Token request". The error words are those of OAuth 2.0 (RFC 6749 section 5.2). */
export function requestToken(call: Call, context: ServiceContext): Reply {
  const form = isFields(call.body) ? call.body : {};
  const missing = ['client_id', 'client_secret', 'grant_type', 'scope'].some((name) => textOf(form, name) === '');
  if (missing) return json(400, { error: 'invalid_request' });
  if (form['client_id'] !== context.client.id || form['client_secret'] !== context.client.secret) {
    return json(401, { error: 'invalid_client' });
  }
  if (form['grant_type'] !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
  if (form['scope'] !== SCOPE) return json(400, { error: 'invalid_scope' });
  const expires_in = context.scenario().knobs['token-life'];
  const access_token = context.tokens.issue(call.at, expires_in);
  return json(200, { access_token, expires_in, token_type: 'Bearer', scope: SCOPE });
}
