/** Tells by mail (SMTP). The only importer of nodemailer. */
import type { Delivery } from './delivery.ts';
import type { Notification } from './notification.ts';

export interface MailChannel {
  /** `smtps://host:465`, or `smtp://host:587`, which has to go over to TLS unless it is this machine. */
  readonly server: string;
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
  readonly to: readonly string[];
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export async function tellMail(
  { server, user, password, from, to }: MailChannel,
  { subject, text, id }: Pick<Notification, 'subject' | 'text' | 'id'>,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<Delivery> {
  const { protocol, hostname, port } = new URL(server);
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || PORTS[protocol === 'smtps:' ? 'smtps:' : 'smtp:'],
    secure: protocol === 'smtps:',
    requireTLS: protocol === 'smtp:' && !LOOPBACK.includes(hostname),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, to: [...to], subject, text, headers: { 'X-Paybatch-Id': id } });
    return {};
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Its words may hold addresses and what the server said: the code is enough.
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    return { failed: `the server could not be used or refused it (${code})` };
  } finally {
    transport.close();
  }
}
