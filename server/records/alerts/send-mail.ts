/** Sends one mail over SMTP. */

import { hasImplicitTls } from '../../config/schema-alerts.ts';
import type { MailContent } from './alert-message.ts';
import type { MailChannel } from './channels.ts';
import { type Message, type SendOptions, type SendResult, toShownText } from './send-result.ts';

/** Mail servers may delay their greeting. Shorter than a claim. */
const MAX_MAIL_MS = 30_000;

/** Never rejects. */
export async function sendMail(mail: MailChannel, message: Message, { signal, maxMs = MAX_MAIL_MS }: SendOptions): Promise<SendResult> {
  const aborted = Promise.withResolvers<SendResult>();
  const abort = (failure: string) => () => aborted.resolve({ isDelivered: false, status: null, failure, response: null });
  const onStop = abort('the gateway stopped');
  const timer = setTimeout(abort(`not accepted within ${maxMs / 1_000} s`), maxMs);
  signal?.addEventListener('abort', onStop, { once: true });
  if (signal?.aborted) onStop();
  try {
    return await Promise.race([aborted.promise, trySend(mail, message, maxMs)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onStop);
  }
}

async function trySend(mail: MailChannel, { id, body }: Message, maxMs: number): Promise<SendResult> {
  // Loaded here, so that a gateway without mail starts without it.
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, user, password, from, to } = mail;
  const isSecure = hasImplicitTls(mail);
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && tls !== 'none',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    dnsTimeout: maxMs,
    connectionTimeout: maxMs,
    greetingTimeout: maxMs,
    socketTimeout: maxMs,
  });
  // `as`: `writeAlertMessage` or `writeTestMessage` wrote it for mail.
  const { subject, text } = JSON.parse(body) as MailContent;
  const headers = { 'Auto-Submitted': 'auto-generated' };
  try {
    // The ID stays the same across attempts, so that mail servers can deduplicate.
    const { response, rejected } = await transport.sendMail({ from, to: [...to], subject, text, headers, messageId: `<${id}@modelgate>` });
    const failure = rejected.length === 0 ? null : `not accepted for ${rejected.length} of ${to.length} recipients`;
    return { isDelivered: true, status: parseStatus(response), failure, response: toShownText(response) };
  } catch (error) {
    return toFailure(error);
  } finally {
    transport.close();
  }
}

const parseStatus = (response: string): number | null => (/^\d{3}/.test(response) ? Number(response.slice(0, 3)) : null);

function toFailure(error: unknown): SendResult {
  const { response, message = String(error) } = Object(error);
  const reply = typeof response === 'string' ? toShownText(response) : null;
  // The library's message says what failed, and ends with the reply.
  return { isDelivered: false, status: reply === null ? null : parseStatus(reply), failure: toShownText(String(message)), response: reply };
}
