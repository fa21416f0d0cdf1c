import { z } from 'zod';
import { defineOperation } from './operation.ts';

const tokenRequest = z.strictObject({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('client_credentials'),
  scope: z.string(),
});

/** Spec: "Token response". `expires_in` has been seen as text elsewhere, so both are read. */
const tokenReply = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.union([z.number(), z.string()]).optional(),
  token_type: z.string().optional(),
  scope: z.string().optional(),
});

export const requestToken = defineOperation({
  name: 'request-token',
  summary: 'Exchanges client id and secret for a bearer token.',
  method: 'POST',
  path: '/connect/token',
  host: 'token',
  body: tokenRequest,
  encoding: 'form',
  reply: tokenReply,
  spec: 'Token request',
  shape: 'spec',
  repeatable: true,
  authorised: false,
});
