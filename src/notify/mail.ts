/** Notifies by mail (SMTP), with the results workbook for those who are to have it. The only importer of nodemailer. */

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, systemCode } from '../domain/fault.ts';
import { mayBeUnencrypted } from '../domain/own-host.ts';
import type { Delivery, Notification } from './notification.ts';

export interface MailChannel {
  /** `smtps://host:465`, or `smtp://host:587`, which must switch to TLS unless the server is on this machine. */
  readonly server: string;
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Those of `to` whose mail has the results workbook attached. The workbook names everybody who was paid. */
  readonly resultsTo?: readonly string[];
}

/** Most bytes of an attachment: mail servers accept 25 MB for a whole mail, and Base64 adds a third. */
const ATTACHMENT_BYTES_MAX = 15_000_000;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/** Sends one mail to those who get only figures, and one to those who get the workbook as well. */
export async function notifyByMail(
  { server, user, password, from, to, resultsTo = [] }: MailChannel,
  { subject, text, id, workbook }: Pick<Notification, 'subject' | 'text' | 'id' | 'workbook'>,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<Delivery> {
  const { protocol, hostname, port } = new URL(server);
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || PORTS[protocol === 'smtps:' ? 'smtps:' : 'smtp:'],
    secure: protocol === 'smtps:',
    requireTLS: protocol === 'smtp:' && !mayBeUnencrypted(hostname),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const letter = { from, subject, text, headers: { 'X-Paybatch-Id': id } };
    const isGiven = (one: string): boolean => workbook !== undefined && resultsTo.includes(one);
    const [given, others] = [to.filter(isGiven), to.filter((one) => !isGiven(one))];
    if (others.length > 0) await transport.sendMail({ ...letter, to: others });
    if (given.length > 0 && workbook !== undefined) {
      const { says, attachments } = await attached(workbook);
      await transport.sendMail({ ...letter, text: `${text}${says}\n`, to: given, attachments });
    }
    return {};
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The message may hold addresses and the server's words, so only the code is reported.
    return { failed: `the server could not be used or refused it (${codeOf(error) ?? error.name})` };
  } finally {
    transport.close();
  }
}

interface Attached {
  /** What the mail says about the workbook. */
  readonly says: string;
  readonly attachments: { filename: string; content: Buffer; contentType: string }[];
}

/** Returns the workbook as an attachment. If it cannot be attached, the mail says why and goes without it. */
async function attached(workbook: string): Promise<Attached> {
  const without = (why: string): Attached => ({
    says: `The results workbook is not attached: ${why}. paybatch report writes it.`,
    attachments: [],
  });
  try {
    const { size } = await stat(workbook);
    if (size > ATTACHMENT_BYTES_MAX) return without(`it has more than ${ATTACHMENT_BYTES_MAX / 1_000_000} MB`);
    const content = await readFile(workbook);
    return {
      says: 'The results workbook is attached. It names everybody who was paid: keep it as you keep the sheet.',
      attachments: [{ filename: path.basename(workbook), content, contentType: XLSX }],
    };
  } catch (error) {
    return without(`it cannot be read (${systemCode(error)})`);
  }
}
