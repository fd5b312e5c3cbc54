/** Sends one signed message to a webhook (Standard Webhooks). */

import { createHmac } from 'node:crypto';
import { SECRET_PREFIX, type WebhookSettings } from '../../config/schema-server.ts';

export interface SendResult {
  readonly isDelivered: boolean;
  /** Null if no response arrived. */
  readonly status: number | null;
  /** Null if the message was delivered. Never contains the URL. */
  readonly failure: string | null;
}

export type SendWebhook = (webhook: Pick<WebhookSettings, 'url' | 'secret'>, message: SignedMessage) => Promise<SendResult>;

export const MAX_SEND_MS = 10_000;

const USER_AGENT = 'modelgate-alerts';

/** Never rejects. `signal` aborts an attempt in flight. */
export async function sendWebhook(
  { url, secret }: Pick<WebhookSettings, 'url' | 'secret'>,
  message: SignedMessage,
  { signal, maxMs = MAX_SEND_MS }: { readonly signal?: AbortSignal; readonly maxMs?: number } = {},
): Promise<SendResult> {
  const timeoutSignal = AbortSignal.timeout(maxMs);
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...createSignatureHeaders(message, secret) };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: message.body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    });
    await response.body?.cancel().catch(() => undefined);
    return toSendResult(response.status);
  } catch (error) {
    const failure = timeoutSignal.aborted ? `no response within ${maxMs / 1_000} s` : (getErrorCode(error) ?? 'the connection failed');
    return { isDelivered: false, status: null, failure: signal?.aborted ? 'the gateway stopped' : failure };
  }
}

function toSendResult(status: number): SendResult {
  if (status >= 200 && status < 300) return { isDelivered: true, status, failure: null };
  const failure = status >= 300 && status < 400 ? `redirect ${status}, which isn't followed` : `status ${status}`;
  return { isDelivered: false, status, failure };
}

/** Only the code (`ECONNREFUSED`), because messages may contain the address. */
function getErrorCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

interface SignedMessage {
  /** Stays the same across attempts, so that receivers can deduplicate. */
  readonly id: string;
  /** The time of this attempt, in milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
}

export function createSignatureHeaders({ id, at, body }: SignedMessage, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
