/** Who is told of payments that nobody watches, and how. */
import { z } from 'zod';
import { isReachable, milliseconds } from './setting-values.ts';

const MAIL_SERVER = /^smtps?:\/\/[^\s/?#@]+$/;

export const notify = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('A program and its arguments; the event comes as JSON on its stdin'),
    webhook: z
      .strictObject({
        url: z
          .string()
          .refine(isReachable, 'an https address; http to this machine only')
          .describe('Address that is told'),
        secretFile: z.string().describe('Holds the secret of the receiver: whsec_ and Base64 (Standard Webhooks)'),
      })
      .optional()
      .describe('A web address that is told, with a signature'),
    mail: z
      .strictObject({
        server: z.string().regex(MAIL_SERVER, 'smtps://host:port or smtp://host:port').describe('Mail server'),
        user: z.string().optional().describe('Who signs in at the mail server'),
        passwordFile: z.string().optional().describe('File that holds the password for it'),
        from: z.string().min(3).describe('Address of the sender'),
        to: z.array(z.string().min(3)).min(1).max(20).describe('Who is told'),
      })
      .optional()
      .describe('Mails to people'),
    timeoutMs: milliseconds.min(100).max(60_000).default(10_000).describe('For one try of one way'),
  })
  .describe('Who is told of payments that nobody watches, and how');
