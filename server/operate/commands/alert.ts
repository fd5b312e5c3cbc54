/** `modelgate alert …`: lists and acknowledges alerts, and tests webhooks. */
import { type Command, Option } from 'commander';
import { type Alert, alertStates, type Webhook } from '../../../contract/admin/alerts.ts';
import { listAllPages } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { ReportedError } from './command-error.ts';
import { parseDurationSeconds } from './parse-time.ts';
import { formatRows, formatShortTime, formatTable, printResult } from './print-result.ts';

export function addAlertCommands(program: Command): void {
  const alert = addCommandGroup(program, 'alert', 'list and acknowledge alerts, and test webhooks');
  addListCommand(alert);
  addAcknowledgeCommand(alert);
  addWebhooksCommand(alert);
  addTestCommand(alert);
}
function addListCommand(alert: Command): void {
  addAdminCommand(alert, 'list', {
    description: 'list alerts of the last 90 days, newest first',
    examples: ['modelgate alert list', 'modelgate alert list --state open --json'],
  })
    .addOption(new Option('--state <state>', 'open or resolved (default: both)').choices(alertStates))
    .action(async (options: AdminOptions & { state?: (typeof alertStates)[number] }) => {
      await withAdmin(options, async (client) => {
        const { state } = options;
        const list = await listAllPages(client, 'listAlerts', { query: { state } });
        const rows = list.data.map((one) => [
          one.id,
          formatShortTime(one.opened_at),
          formatAlertState(one),
          one.kind,
          one.name ?? one.subject ?? '-',
          one.message,
        ]);
        printResult(
          options,
          list,
          rows.length === 0 ? 'No alerts.\n' : formatTable(['ID', 'OPENED', 'STATE', 'KIND', 'SUBJECT', 'MESSAGE'], rows),
        );
      });
    });
}
function formatAlertState({ resolved_at: resolved, acknowledged_at: acknowledged, snoozed_until: until }: Alert): string {
  if (resolved !== null) return `resolved ${formatShortTime(resolved)}`;
  if (acknowledged === null || (until !== null && Date.parse(until) <= Date.now())) return 'open';
  return until === null ? 'acknowledged' : `snoozed until ${formatShortTime(until)}`;
}
function addAcknowledgeCommand(alert: Command): void {
  addAdminCommand(alert, 'acknowledge <alert>', {
    description: 'acknowledge an open alert, until it resolves or for a while',
    examples: ['modelgate alert acknowledge alert_019c2f6b1f40a1b2c3d4e5f6 --snooze 8h'],
  })
    .option('--snooze <length>', 'only for this long, such as 8h or 3d, at most 30d (default: until it resolves)', parseDurationSeconds)
    .action(async (id: string, options: AdminOptions & { snooze?: number }) => {
      await withAdmin(options, async (client) => {
        const body = { snooze_seconds: options.snooze };
        const alert = await client.call('acknowledgeAlert', { params: { alert_id: id }, body });
        printResult(options, alert, `${alert.id} is ${formatAlertState(alert)}.\n`);
      });
    });
}
function addWebhooksCommand(alert: Command): void {
  addAdminCommand(alert, 'webhooks', {
    description: 'list configured webhooks, and the state of their latest message',
    examples: ['modelgate alert webhooks'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listWebhooks', {});
      const rows = list.data.map((one) => [one.name, one.host, String(one.waiting), formatLastDelivery(one)]);
      printResult(options, list, rows.length === 0 ? 'No webhooks.\n' : formatTable(['NAME', 'HOST', 'WAITING', 'LAST MESSAGE'], rows));
    });
  });
}
function formatLastDelivery({ last_delivery: lastDelivery }: Webhook): string {
  if (lastDelivery === null) return 'none';
  const reason = lastDelivery.failure === null ? '' : ` (${lastDelivery.failure})`;
  return `${formatShortTime(lastDelivery.created_at)} ${lastDelivery.state}${reason}, ${lastDelivery.attempts} ${lastDelivery.attempts === 1 ? 'attempt' : 'attempts'}`;
}
function addTestCommand(alert: Command): void {
  addAdminCommand(alert, 'test <webhook>', {
    description: 'send a test message to a webhook now',
    examples: ['modelgate alert test ops'],
  }).action(async (webhook: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const outcome = await client.call('testWebhook', { params: { webhook } });
      const text = formatRows([
        ['Delivered', outcome.ok ? 'yes' : `no: ${outcome.failure}`],
        ['Message', outcome.id],
        ['Status', outcome.status === null ? null : String(outcome.status)],
        ['Time', `${outcome.total_ms} ms`],
      ]);
      printResult(options, outcome, text);
      if (!outcome.ok) throw new ReportedError();
    });
  });
}
