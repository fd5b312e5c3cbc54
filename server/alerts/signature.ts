/** Signs what is sent, as Standard Webhooks says: HMAC-SHA256 over id, time and body. */
import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../config/alerts-schema.ts';

export interface SignedMessage {
  /** The same with each attempt: the receiver knows by it what it has had. */
  readonly id: string;
  /** Milliseconds since 1970, of this attempt. */
  readonly at: number;
  readonly body: string;
}

export function signatureHeaders({ id, at, body }: SignedMessage, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
