/** `modelgate alert …`: what is or was wrong, which webhooks are told, and a test message. */
import { type Command, Option } from 'commander';
import { alertStates, type Webhook } from '../../contract/admin/alerts.ts';
import { type AdminOptions, addAdminCommand, addGroup, callAll, describe, print, shortTime, withAdmin } from './administration.ts';
import { formatTable } from './table.ts';

export function addAlert(program: Command): void {
  const alert = addGroup(program, 'alert', 'see what is wrong, and test the webhooks that are told');
  addList(alert);
  addWebhooks(alert);
  addTest(alert);
}

interface ListOptions extends AdminOptions {
  readonly state?: (typeof alertStates)[number];
}

function addList(alert: Command): void {
  addAdminCommand(alert, 'list', {
    description: 'list alerts of the last 90 days, newest first',
    examples: ['modelgate alert list', 'modelgate alert list --state open --json'],
  })
    .addOption(new Option('--state <state>', 'open or resolved (default: both)').choices(alertStates))
    .action(async (options: ListOptions) => {
      await withAdmin(options, async (client) => {
        const { state } = options;
        const list = await callAll(client, 'listAlerts', { query: { state } });
        const rows = list.data.map((one) => [
          shortTime(one.opened_at),
          one.resolved_at === null ? 'open' : shortTime(one.resolved_at),
          one.kind,
          one.name ?? one.subject ?? '-',
          one.message,
        ]);
        print(options, list, rows.length === 0 ? 'No alerts.\n' : formatTable(['OPENED', 'RESOLVED', 'KIND', 'SUBJECT', 'MESSAGE'], rows));
      });
    });
}

function addWebhooks(alert: Command): void {
  addAdminCommand(alert, 'webhooks', {
    description: 'list webhooks of the configuration, and how far the newest message came',
    examples: ['modelgate alert webhooks'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listWebhooks', {});
      const rows = list.data.map((one) => [one.name, one.host, String(one.waiting), lastText(one)]);
      print(options, list, rows.length === 0 ? 'No webhooks.\n' : formatTable(['NAME', 'HOST', 'WAITING', 'LAST MESSAGE'], rows));
    });
  });
}

function lastText({ last_delivery: last }: Webhook): string {
  if (last === null) return 'none';
  const why = last.failure === null ? '' : ` (${last.failure})`;
  return `${shortTime(last.created_at)} ${last.state}${why}, ${last.attempts} attempts`;
}

function addTest(alert: Command): void {
  addAdminCommand(alert, 'test <webhook>', {
    description: 'send a test message to a webhook now',
    examples: ['modelgate alert test ops'],
  }).action(async (webhook: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const outcome = await client.call('testWebhook', { params: { webhook } });
      const text = describe([
        ['Delivered', outcome.ok ? 'yes' : `no: ${outcome.failure}`],
        ['Message', outcome.id],
        ['Status', outcome.status === null ? null : String(outcome.status)],
        ['Time', `${outcome.total_ms} ms`],
      ]);
      print(options, outcome, text);
    });
  });
}
