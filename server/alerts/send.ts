/** One attempt to send to a webhook: ten seconds at most, no redirects, and the body of the answer is not read. */
import type { WebhookSettings } from '../config/alerts-schema.ts';
import { type SignedMessage, signatureHeaders } from './signature.ts';

export interface SendResult {
  readonly isDelivered: boolean;
  /** Null: no answer came. */
  readonly status: number | null;
  /** Null when it was delivered. Never holds the address. */
  readonly failure: string | null;
}

export type Send = (webhook: Pick<WebhookSettings, 'url' | 'secret'>, message: SignedMessage) => Promise<SendResult>;

export const LONGEST_MS = 10_000;
const USER_AGENT = 'modelgate-alerts';

export interface SendOptions {
  /** Ends an attempt that runs. */
  readonly signal?: AbortSignal;
  readonly longestMs?: number;
}

/** Never rejects. */
export async function sendOnce(
  { url, secret }: Pick<WebhookSettings, 'url' | 'secret'>,
  message: SignedMessage,
  { signal, longestMs = LONGEST_MS }: SendOptions = {},
): Promise<SendResult> {
  const late = AbortSignal.timeout(longestMs);
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signatureHeaders(message, secret) };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: message.body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    await answer.body?.cancel().catch(() => undefined);
    return resultOf(answer.status);
  } catch (error) {
    const failure = late.aborted ? `no answer within ${longestMs / 1_000} s` : (codeOf(error) ?? 'the connection failed');
    return { isDelivered: false, status: null, failure: signal?.aborted ? 'the gateway stopped' : failure };
  }
}

function resultOf(status: number): SendResult {
  if (status >= 200 && status < 300) return { isDelivered: true, status, failure: null };
  const failure = status >= 300 && status < 400 ? `redirect ${status}, which is not followed` : `answer ${status}`;
  return { isDelivered: false, status, failure };
}

/** The code alone (`ECONNREFUSED`), since messages may name the address. */
function codeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
