/** The JSON that a webhook gets. */
import type { AlertEvent, NewAlert } from './store.ts';

const writeTime = (at: number): string => new Date(at).toISOString();

export interface Told extends NewAlert {
  readonly resolvedAt: number | null;
}

/** `message`: of the begin or of the end. */
export function writePayload(
  event: AlertEvent,
  { id, kind, subject, name, message, value, threshold, openedAt, resolvedAt }: Told,
): string {
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: writeTime(resolvedAt ?? openedAt),
    data: {
      id,
      kind,
      subject: subject === '' ? null : subject,
      name,
      message,
      value,
      threshold,
      opened_at: writeTime(openedAt),
      resolved_at: resolvedAt === null ? null : writeTime(resolvedAt),
    },
  });
}

export function writeTestPayload(webhook: string, at: number): string {
  const message = 'This is a test of the webhook. Nothing is wrong.';
  return JSON.stringify({ type: 'webhook.test', timestamp: writeTime(at), data: { webhook, message } });
}
