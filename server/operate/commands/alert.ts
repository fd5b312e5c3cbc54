/** `modelgate alert …`: lists and acknowledges alerts, and tests channels. */
import type { Command } from 'commander';
import { type Alert, type AlertChannel, alertStates } from '../../../contract/admin/alerts.ts';
import { addCommandGroup } from './admin-command.ts';
import { parseDurationSeconds } from './parse-time.ts';
import { formatRows, formatShortTime } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

export function addAlertCommands(program: Command): void {
  const alert = addCommandGroup(program, 'alert');
  addRequestCommand(alert, 'list', {
    description: 'list alerts of the last 90 days, newest first',
    examples: ['modelgate alert list', 'modelgate alert list --state open --json'],
    operation: 'listAlerts',
    options: { state: ['--state <state>', 'only alerts in this state (default: both)', alertStates] },
    allPages: true,
    print: {
      ID: 'id',
      OPENED: (one) => formatShortTime(one.opened_at),
      STATE: formatAlertState,
      KIND: 'kind',
      SUBJECT: ({ name, subject }) => name ?? subject ?? '-',
      MESSAGE: 'message',
    },
    emptyText: 'No alerts.\n',
  });
  addRequestCommand(alert, 'acknowledge <alert>', {
    description: 'acknowledge an open alert, until it resolves or for a set time',
    examples: ['modelgate alert acknowledge alert_019c2f6b1f40a1b2c3d4e5f6 --snooze 8h'],
    operation: 'acknowledgeAlert',
    arguments: ['alert_id'],
    options: {
      snooze_seconds: ['--snooze <length>', 'how long, such as 8h or 3d, at most 30d (default: until it resolves)', parseDurationSeconds],
    },
    print: (one) => `${one.id} is ${formatAlertState(one)}.\n`,
  });
  addChannelCommands(alert);
}

function addChannelCommands(alert: Command): void {
  addRequestCommand(alert, 'channels', {
    description: 'list configured channels (webhooks and mail) and their latest delivery',
    examples: ['modelgate alert channels'],
    operation: 'listAlertChannels',
    print: { NAME: 'name', FORMAT: 'format', HOST: 'host', WAITING: 'waiting', 'LAST MESSAGE': formatLastDelivery },
    emptyText: 'No webhooks or mail.\n',
  });
  addRequestCommand(alert, 'test <name>', {
    description: "send a test message to a channel; exits with 1 if the channel doesn't accept it",
    examples: ['modelgate alert test ops'],
    operation: 'testAlertChannel',
    arguments: ['channel'],
    print: ({ ok, failure, id, status, response, sent, total_ms: ms }) =>
      formatRows([
        ['Delivered', ok ? `yes${failure === null ? '' : `, but ${failure}`}` : `no: ${failure}`],
        ['Message', id],
        ['Status', status === null ? null : String(status)],
        ['Response', response],
        ['Time', `${ms} ms`],
        ['Sent', sent],
      ]),
    isFailed: ({ ok }) => !ok,
  });
}

function formatAlertState({ resolved_at: resolved, acknowledged_at: acknowledged, snoozed_until: until }: Alert): string {
  if (resolved !== null) return `resolved ${formatShortTime(resolved)}`;
  if (acknowledged === null || (until !== null && Date.parse(until) <= Date.now())) return 'open';
  return until === null ? 'acknowledged' : `snoozed until ${formatShortTime(until)}`;
}

function formatLastDelivery({ last_delivery: lastDelivery }: AlertChannel): string {
  if (lastDelivery === null) return 'none';
  const reason = lastDelivery.failure === null ? '' : ` (${lastDelivery.failure})`;
  return `${formatShortTime(lastDelivery.created_at)} ${lastDelivery.state}${reason}, ${lastDelivery.attempts} ${lastDelivery.attempts === 1 ? 'attempt' : 'attempts'}`;
}
