/** Writes the payload of a webhook: an alert that opened or was resolved, or a test message. */
import type { AlertEvent, NewAlert } from './store.ts';

const formatTime = (at: number): string => new Date(at).toISOString();

/** Writes the payload. `message` describes the opening or the resolution. */
export function writeWebhookPayload(
  event: AlertEvent,
  { id, kind, subject, name, message, value, threshold, openedAt, resolvedAt }: NewAlert & { resolvedAt: number | null },
): string {
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: formatTime(resolvedAt ?? openedAt),
    data: {
      id,
      kind,
      subject: subject === '' ? null : subject,
      name,
      message,
      value,
      threshold,
      opened_at: formatTime(openedAt),
      resolved_at: resolvedAt === null ? null : formatTime(resolvedAt),
    },
  });
}

export function writeTestPayload(webhook: string, at: number): string {
  const message = 'This is a test message. No action is needed.';
  return JSON.stringify({ type: 'webhook.test', timestamp: formatTime(at), data: { webhook, message } });
}
