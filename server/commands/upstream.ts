/** `modelgate upstream …` lists cooldowns of upstreams, makes a test call, and resets them. */
import { type Command, Option } from 'commander';
import { type Alert, alertStates, type Webhook } from '../../contract/admin/alerts.ts';
import type { AuditEntry } from '../../contract/admin/operators.ts';
import type { UpstreamReport } from '../../contract/admin/upstreams.ts';
import {
  type AdminOptions,
  addAdminCommand,
  addGroup,
  callAll,
  describe,
  formatTable,
  LOCATION_HELP,
  print,
  shortTime,
  withAdmin,
  withConfigOption,
  withDataOption,
} from './administration.ts';
import type { RestoreOptions } from './db-backup.ts';
import type { CopyOptions } from './db-copy.ts';
import type { CloseOptions } from './ledger-close.ts';
import { EXIT_CODE_HELP, ReportedError } from './serving.ts';
import { parseCount, parseLength, parseMoment } from './settings.ts';

const URL_OPTION = '--url http://127.0.0.1:8081';

export function addUpstream(program: Command): void {
  const upstream = addGroup(program, 'upstream', 'list, test, and reset upstreams');
  addUpstreamList(upstream);
  addUpstreamTest(upstream);
  addReset(upstream);
}

function addUpstreamList(upstream: Command): void {
  addAdminCommand(upstream, 'list', {
    description: 'list upstreams, and the models and keys that are cooling down in running processes',
    examples: [`modelgate upstream list ${URL_OPTION}`, 'modelgate upstream list --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listUpstreams', {});
      const rows = list.data.map((one) => [
        one.name,
        one.kind,
        one.host ?? '-',
        String(one.requests_24h),
        String(one.errors_24h),
        one.nodes.length === 0 ? 'unknown' : restText(one),
      ]);
      print(options, list, formatTable(['UPSTREAM', 'KIND', 'HOST', 'CALLS 24 H', 'ERRORS', 'COOLING DOWN'], rows));
    });
  });
}

/** Shows the worst state of each model and key over all processes. */
function restText({ nodes }: UpstreamReport): string {
  const models = new Map<string, number>();
  const places = nodes.flatMap((node) => node.places.filter(({ cooldown_ms: ms }) => ms > 0));
  for (const { upstream_model: model, cooldown_ms: ms } of places) models.set(model, Math.max(models.get(model) ?? 0, ms));
  const keys = nodes.flatMap((node) => node.keys.filter(({ state }) => state !== 'ready'));
  const resting = [
    ...[...models].map(([model, ms]) => `${model} ${Math.ceil(ms / 1_000)} s`),
    ...new Set(keys.map(({ last_four: four, state }) => `key …${four} ${state}`)),
  ];
  return resting.join(', ') || 'nothing';
}

interface TestOptions extends AdminOptions {
  readonly model?: string;
}

function addUpstreamTest(upstream: Command): void {
  addAdminCommand(upstream, 'test <name>', {
    description: 'make one short, real call, which the provider bills to you',
    examples: [`modelgate upstream test openai ${URL_OPTION}`, `modelgate upstream test openai --model gpt-5.4 ${URL_OPTION}`],
  })
    .option('--model <id>', 'configured text model (default: the first one that the upstream serves)')
    .action(async (name: string, options: TestOptions) => {
      await withAdmin(options, async (client) => {
        const { model } = options;
        const outcome = await client.call('testUpstream', { params: { upstream: name }, body: { model } });
        const text = describe([
          ['Works', outcome.ok ? 'yes' : `no: ${outcome.message}`],
          ['Model', outcome.model],
          ['Status', outcome.status === null ? null : String(outcome.status)],
          ['Error code', outcome.code],
          ['Provider', [outcome.provider_code, outcome.provider_message].filter((part) => part !== null).join(': ') || null],
          ['First byte', outcome.first_ms === null ? null : `${outcome.first_ms} ms`],
          ['Total', `${outcome.total_ms} ms`],
          ['Provider cost', outcome.provider_cost],
        ]);
        print(options, outcome, text);
      });
    });
}

function addReset(upstream: Command): void {
  addAdminCommand(upstream, 'reset <name>', {
    description: 'clear failures and cooldowns, so that calls are sent to it again',
    examples: [`modelgate upstream reset openai ${URL_OPTION}`],
  }).action(async (name: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const reset = await client.call('resetUpstream', { params: { upstream: name } });
      print(options, reset, `${name} reset: ${reset.places} models and ${reset.keys} keys were cooling down.\n`);
    });
  });
}

export function addDb(program: Command): void {
  const db = addGroup(program, 'db', 'migrate, copy, back up, restore, and compact the database');
  addMigrate(db);
  addCopy(db);
  addBackup(db);
  addRestore(db);
  addCompact(db);
}

function addCompact(db: Command): void {
  withDataOption(withConfigOption(db.command('compact')))
    .description('shrink the SQLite file to its current contents; stop the gateway first')
    .option('--json', 'print the size before and after in bytes, as JSON')
    .addHelpText(
      'after',
      `\nNeeds free disk space for a second copy of the database. PostgreSQL doesn't need this.\n\nExamples:\n  modelgate db compact\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: AdminOptions) => (await import('./db-backup.ts')).runCompact(options));
}

const databaseHelp = `${LOCATION_HELP}
  DATABASE_URL      PostgreSQL URL; overrides the configuration: postgres://user:password@host:5432/name`;

function addMigrate(db: Command): void {
  withDataOption(withConfigOption(db.command('migrate')))
    .description('migrate the configured database to the current schema; a gateway does the same when it starts')
    .option('--json', 'print the schema before and after as JSON')
    .addHelpText(
      'after',
      `\nThe database is PostgreSQL if DATABASE_URL or the configuration specifies one, otherwise the SQLite file in the data folder.
\nExamples:\n  modelgate db migrate\n  DATABASE_URL=postgres://… modelgate db migrate\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    // Loaded here, so that other commands start without loading the databases.
    .action(async (options: AdminOptions) => (await import('./db-address.ts')).runMigrate(options));
}

const DATABASES = `
Databases:
  sqlite            the data folder of --data or the configuration
  postgres          the database of DATABASE_URL or the configuration
  ./folder          a data folder
  postgres://…      a PostgreSQL database. Prefer DATABASE_URL: other users of this machine can see the URL in the process list`;

const COPY_EXPLANATION = `
Copies accounts, keys, balances, charges, entries, prices, subscriptions, stored responses, idempotency keys, rejections,
and the audit log. The source isn't changed. The target must be new and empty. If it's interrupted, run the same command again to continue. At the end, it
compares every row and reconciles the ledgers of both databases. The exit code is 1 if anything differs.`;

function addCopy(db: Command): void {
  withDataOption(withConfigOption(db.command('copy')))
    .description('copy one database into another, and verify that both are equal')
    .requiredOption('--from <database>', 'source')
    .requiredOption('--to <database>', 'target; must be new and empty')
    .option('--force', "copy even while a gateway is running on the source; its later changes aren't copied")
    .option('--json', 'print what was copied and compared as JSON, without progress')
    .addHelpText(
      'after',
      `${COPY_EXPLANATION}\n${DATABASES}
\nExamples:\n  DATABASE_URL=postgres://… modelgate db copy --from sqlite --to postgres\n  modelgate db copy --from postgres --to ./back\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: CopyOptions) => (await import('./db-copy.ts')).runCopy(options));
}

const BACKUP_EXPLANATION = `
Works while a gateway is running. The backup contains every call that was completed before it started. The folder contains modelgate.sqlite, the file pepper,
and pending settlements. The command checks the files and reconciles the ledger in them. Keep modelgate.yaml with the backup. For PostgreSQL, use its own tools.`;

function addBackup(db: Command): void {
  withDataOption(withConfigOption(db.command('backup <folder>')))
    .description('write all data of the gateway into a new folder, and verify it')
    .option('--json', 'print the contents of the backup as JSON')
    .addHelpText(
      'after',
      `${BACKUP_EXPLANATION}\n\nExamples:\n  modelgate db backup backups/$(date +%F)\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: AdminOptions) => (await import('./db-backup.ts')).runBackup(folder, options));
}

function addRestore(db: Command): void {
  withDataOption(withConfigOption(db.command('restore <folder>')))
    .description('verify a backup and restore it into the data folder')
    .option('--force', 'restore even if the folder contains data; that data is moved into a subfolder')
    .option('--json', 'print what was restored as JSON')
    .addHelpText(
      'after',
      `\nStop the gateway on the data folder first. Changes after the backup are lost, so keys that were revoked since then work again.
\nExamples:\n  modelgate db restore backups/2027-01-31 --data ./data\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: RestoreOptions) => (await import('./db-backup.ts')).runRestore(folder, options));
}

export function addLedger(program: Command): void {
  const ledger = addGroup(program, 'ledger', 'check and close the ledger, and show the audit log');
  addReconcile(ledger);
  addAudit(ledger);
  addClose(ledger);
  addCheckArchive(ledger);
}

const CLOSE_EXPLANATION = `
Writes every call before that time to compressed CSV files and verifies them. Then it replaces these calls in the database with monthly totals per
key, model, and price. Balances don't change. It's safe while a gateway is running. If it's interrupted, run the same command again.`;

function addClose(ledger: Command): void {
  withDataOption(withConfigOption(ledger.command('close')))
    .description('archive past calls and keep their monthly totals')
    .requiredOption('--before <time>', 'archive calls before this date or time, at least 35 days ago', parseMoment)
    .requiredOption('--archive <folder>', 'a new folder for the archive')
    .option('--json', 'print the manifest as JSON')
    .addHelpText(
      'after',
      `${CLOSE_EXPLANATION}\n\nExamples:\n  modelgate ledger close --before 2027-01-01 --archive ledger/2026\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: CloseOptions) => (await import('./ledger-close.ts')).runClose(options));
}

function addCheckArchive(ledger: Command): void {
  ledger
    .command('check-archive <folder>')
    .description('verify the checksums and totals of an archive')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', `\nExamples:\n  modelgate ledger check-archive ledger/2026\n${EXIT_CODE_HELP}`)
    .action(async (folder: string, options: AdminOptions) => (await import('./ledger-close.ts')).runCheckArchive(folder, options));
}

function addReconcile(ledger: Command): void {
  addAdminCommand(ledger, 'reconcile', {
    description: 'recompute every balance from its entries; exit code 1 if anything differs',
    examples: ['modelgate ledger reconcile', 'modelgate ledger reconcile --full --json'],
  })
    .option('--full', 'check all entries again, not only new ones')
    .action(reconcile);
}

async function reconcile({ full, ...options }: AdminOptions & { readonly full?: boolean }): Promise<void> {
  await withAdmin(options, async (client) => {
    const found = await client.call('reconcileLedger', { query: { full: full ? 'true' : undefined } });
    const faults = [
      ...found.differences.map(({ book, kept, counted }) => `${book}: stored total ${kept}, but its entries total ${counted}\n`),
      ...found.unbalanced.map((transfer) => `${transfer}: its two entries don't add up to zero\n`),
      ...found.contradictions.map((request) => `${request}: its state, hold, and entries contradict each other\n`),
    ];
    const counts = describe([
      ['Accounts', String(found.accounts)],
      ['Entries', String(found.entries)],
      ['Overrun', found.overrun],
    ]);
    print(options, found, `${found.sound ? 'The ledger is consistent.' : 'The ledger has differences.'}\n${faults.join('')}${counts}`);
    if (!found.sound) throw new ReportedError();
  });
}

interface AuditOptions extends AdminOptions {
  readonly limit: number;
  readonly after?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
}

function addAudit(ledger: Command): void {
  addAdminCommand(ledger, 'audit', {
    description: 'list changes and who made them, newest first',
    examples: ['modelgate ledger audit', 'modelgate ledger audit --limit 20 --json'],
  })
    .option('--limit <number>', 'maximum number of entries', parseCount, 100)
    .option('--after <id>', 'continue after this entry')
    .option('--actor <id>', 'only changes by this admin key, or by cli or system')
    .option('--action <name>', 'only this action, such as key.create')
    .option('--target <id>', 'only changes to the object with this ID')
    .option('--from <time>', 'only changes from this time, such as 2027-01-31T00:00:00Z')
    .option('--to <time>', 'only changes before this time')
    .action(async (options: AuditOptions) => {
      const { limit, after, actor, action, target, from, to } = options;
      await withAdmin(options, async (client) => {
        const list = await client.call('listAudit', { query: { limit, after, actor, action, target, from, to } });
        const more = list.has_more ? `More: --after ${list.last_id}\n` : '';
        print(options, list, formatTable(['ID', 'TIME', 'ACTOR', 'ACTION', 'TARGET', 'DETAILS'], list.data.map(auditRow)) + more);
      });
    });
}

const auditRow = ({ id, at, actor, action, target, details }: AuditEntry): string[] => [
  id,
  at.slice(0, 19),
  actor,
  action,
  target,
  JSON.stringify(details),
];

export function addAlert(program: Command): void {
  const alert = addGroup(program, 'alert', 'list and acknowledge alerts, and test webhooks');
  addAlertList(alert);
  addAcknowledge(alert);
  addWebhooks(alert);
  addAlertTest(alert);
}

interface ListOptions extends AdminOptions {
  readonly state?: (typeof alertStates)[number];
}

function addAlertList(alert: Command): void {
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
          one.id,
          shortTime(one.opened_at),
          stateOf(one),
          one.kind,
          one.name ?? one.subject ?? '-',
          one.message,
        ]);
        print(
          options,
          list,
          rows.length === 0 ? 'No alerts.\n' : formatTable(['ID', 'OPENED', 'STATE', 'KIND', 'SUBJECT', 'MESSAGE'], rows),
        );
      });
    });
}

function stateOf({ resolved_at: resolved, acknowledged_at: acknowledged, snoozed_until: until }: Alert): string {
  if (resolved !== null) return `resolved ${shortTime(resolved)}`;
  if (acknowledged === null || (until !== null && Date.parse(until) <= Date.now())) return 'open';
  return until === null ? 'acknowledged' : `snoozed until ${shortTime(until)}`;
}

interface AcknowledgeOptions extends AdminOptions {
  readonly snooze?: number;
}

function addAcknowledge(alert: Command): void {
  addAdminCommand(alert, 'acknowledge <alert>', {
    description: 'acknowledge an open alert, until it resolves or for a while',
    examples: ['modelgate alert acknowledge alert_019c2f6b1f40a1b2c3d4e5f6 --snooze 8h'],
  })
    .option('--snooze <length>', 'only for this long, such as 8h or 3d, at most 30d (default: until it resolves)', parseLength)
    .action(async (id: string, options: AcknowledgeOptions) => {
      await withAdmin(options, async (client) => {
        const body = { snooze_seconds: options.snooze };
        const alert = await client.call('acknowledgeAlert', { params: { alert_id: id }, body });
        print(options, alert, `${alert.id} is ${stateOf(alert)}.\n`);
      });
    });
}

function addWebhooks(alert: Command): void {
  addAdminCommand(alert, 'webhooks', {
    description: 'list configured webhooks, and the state of their latest message',
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
  return `${shortTime(last.created_at)} ${last.state}${why}, ${last.attempts} ${last.attempts === 1 ? 'attempt' : 'attempts'}`;
}

function addAlertTest(alert: Command): void {
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
