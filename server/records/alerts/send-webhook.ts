/** Sends one message to a webhook, signed if it has a secret (Standard Webhooks). */

import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../../config/schema-alerts.ts';
import type { WebhookChannel } from './channels.ts';
import { type Message, type SendOptions, type SendResult, toShownText } from './send-result.ts';

export const MAX_SEND_MS = 10_000;

const USER_AGENT = 'modelgate-alerts';

/** Never rejects. */
export async function sendWebhook(
  { url, secret }: Pick<WebhookChannel, 'url' | 'secret'>,
  message: Message,
  { signal, maxMs = MAX_SEND_MS, readsResponse = false }: SendOptions = {},
): Promise<SendResult> {
  const timeoutSignal = AbortSignal.timeout(maxMs);
  const signature = secret === undefined ? {} : createSignatureHeaders(message, secret);
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signature };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: message.body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    });
    return { ...toSendResult(response.status), response: readsResponse ? await readStart(response) : await skipBody(response) };
  } catch (error) {
    const failure = timeoutSignal.aborted ? `no response within ${maxMs / 1_000} s` : (getErrorCode(error) ?? 'the connection failed');
    return { isDelivered: false, status: null, failure: signal?.aborted ? 'the gateway stopped' : failure, response: null };
  }
}

async function skipBody({ body }: Response): Promise<null> {
  await body?.cancel().catch(() => undefined);
  return null;
}

const MAX_READ_LENGTH = 2_000;

/** Reads until the text is long enough to show. An aborted response ends the text. */
async function readStart({ body }: Response): Promise<string | null> {
  if (body === null) return null;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_READ_LENGTH) break;
    }
  } catch {
    // The status has arrived, so the result stands.
  }
  return text === '' ? null : toShownText(text);
}

function toSendResult(status: number): Omit<SendResult, 'response'> {
  if (status >= 200 && status < 300) return { isDelivered: true, status, failure: null };
  const failure = status >= 300 && status < 400 ? `redirect ${status}, which isn't followed` : `status ${status}`;
  return { isDelivered: false, status, failure };
}

/** Only the code (`ECONNREFUSED`), because messages may contain the address. */
function getErrorCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

export function createSignatureHeaders({ id, at, body }: Message, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
