/** `npm run bench:pages`: what each read of a page costs over a request log of 90 days, asked of the operators' API of a whole gateway. `-- --help` tells the options. */
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { issueAdminKey } from '../../../server/access/issue-key.ts';
import { openAdminListener } from '../../../server/api/admin/listener.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { openGateway } from '../../../server/gateway/gateway.ts';
import { createRunningGateway } from '../../../server/operate/commands/running-gateway.ts';
import { DAY_MS } from '../../../server/records/time-bucket.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { isMisuse, readNumber } from '../../harness/options.ts';
import { ACCOUNTS, DAYS, fillLog, KEYS } from './pages-fill.ts';
import { median } from './statistics.ts';

const help = `npm run bench:pages -- [options]
  --rows N   calls in the log, 1000 to 10000000 (1000000)

Fills a database of its own with ${DAYS} days of calls (${ACCOUNTS} accounts, ${KEYS} keys) and asks it what the pages of the console ask.
It needs about 1 GB of disk for a million rows, and deletes it at its end.

Exit codes:
  0  every read kept its bar
  1  a read missed its bar, or an answer was wrong
  2  invalid command or option, or the disk has too little room
`;

/** With indexes and what filling takes for a while. */
const BYTES_BY_ROW = 1_500;
const ROUNDS = 7;
/** In milliseconds: of a question about at most 30 days, and of any. */
const bars = { month: 300, any: 1_000 } as const;

interface PageRead {
  readonly what: string;
  readonly path: string;
  readonly bar: number;
}

function readsOf(now: number): readonly PageRead[] {
  const since = (days: number): string => `from=${new Date(now - days * DAY_MS).toISOString()}`;
  const month = (what: string, path: string): PageRead => ({ what, path, bar: bars.month });
  const any = (what: string, path: string): PageRead => ({ what, path, bar: bars.any });
  return [
    month('overview, 24 hours', '/overview'),
    month('overview, 30 days', `/overview?${since(30)}`),
    month('activity by model, 30 days', `/activity?group_by=model&${since(30)}`),
    month('activity by upstream, then model, 30 days', `/activity?group_by=upstream&then_by=model&${since(30)}`),
    month('activity by account, 30 days', `/activity?group_by=account&${since(30)}`),
    month('activity by key, 30 days', `/activity?group_by=key&${since(30)}`),
    month('activity of one account by key, 30 days', `/activity?group_by=key&account_id=acct_0000&${since(30)}`),
    any('activity by end user, 30 days', `/activity?group_by=end_user&${since(30)}`),
    any('activity by tag, 30 days', `/activity?group_by=tag&${since(30)}`),
    month('activity of one account by end user, 30 days', `/activity?group_by=end_user&account_id=acct_0000&${since(30)}`),
    month('activity of one end user by model, 30 days', `/activity?group_by=model&end_user=user_001_01&${since(30)}`),
    month('newest 50 of a rare end user, 30 days', `/requests?limit=50&end_user=user_499_01&${since(30)}`),
    month('activity of one key by hour, 6 days', `/activity?bucket=hour&key_id=key_0001&${since(6)}`),
    any('activity by model, 90 days', `/activity?group_by=model&${since(DAYS)}`),
    any('activity by account, 90 days', `/activity?group_by=account&${since(DAYS)}`),
    any('activity by key, 90 days', `/activity?group_by=key&${since(DAYS)}`),
    month('newest 50 requests', '/requests?limit=50'),
    month('newest 50 of one account, 30 days', `/requests?limit=50&account_id=acct_0000&${since(30)}`),
    month('newest 50 of a small account, 30 days', `/requests?limit=50&account_id=acct_0499&${since(30)}`),
    month('newest 50 of one key, 30 days', `/requests?limit=50&key_id=key_0001&${since(30)}`),
    month('newest 50 that failed, 30 days', `/requests?limit=50&outcome=failed&${since(30)}`),
    any('a code that no request has, 30 days', `/requests?limit=50&code=no_such_code&${since(30)}`),
    month('one request', '/requests/req_000000000000000000000500'),
    month('statement of the largest account', '/accounts/acct_0000/entries?limit=50'),
    month('statement of the largest account, 30 days', `/accounts/acct_0000/entries?limit=50&${since(30)}`),
    month('first 1,000 keys', '/keys?limit=1000'),
    month('first 1,000 accounts', '/accounts?limit=1000'),
  ];
}

interface Measured extends PageRead {
  readonly first: number;
  readonly usual: number;
}

async function openPages(folder: string) {
  const file = join(folder, 'modelgate.yaml');
  const models = [{ id: 'model-00', kind: 'text', prices: { input: '1.25', output: '10' } }];
  const settings = { data: join(folder, 'data'), activity: { days: DAYS + 1 }, upstreams: { 'upstream-0': { kind: 'simulator' } }, models };
  writeFileSync(file, JSON.stringify(settings));
  const log = openLog({ log: { level: 'silent' } });
  const gateway = await openGateway(loadConfig({ file, port: 0 }, {}), log);
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = gateway;
  const operations = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    now: Date.now,
  };
  const admin = await openAdminListener({ ...operations, gateway: createRunningGateway(gateway) }, { log, checkAnswers: false });
  await admin.listen({ host: '127.0.0.1', port: 0 });
  const { key } = await issueAdminKey('bench', { ...access, now: Date.now });
  // `as`: a server that listens on a port has such an address.
  const { port } = admin.server.address() as AddressInfo;
  return {
    async ask(path: string): Promise<number> {
      const begin = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
      const text = await answer.text();
      // A store that was asked for too long.
      if (answer.status === 503) return Number.POSITIVE_INFINITY;
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
      return performance.now() - begin;
    },
    async close(): Promise<void> {
      await admin.close();
      await gateway.close();
    },
  };
}

async function askAll({ ask }: Pick<Awaited<ReturnType<typeof openPages>>, 'ask'>, now: number): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const read of readsOf(now)) {
    const first = await ask(read.path);
    const times: number[] = [];
    // What is so slow is not asked again and again.
    for (let round = 0; round < (first > 2 * bars.any ? 1 : ROUNDS); round++) times.push(await ask(read.path));
    const row = { ...read, first, usual: median(times) };
    measured.push(row);
    console.log(rowOf(row));
  }
  return measured;
}

const ms = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 10 ? 1 : 0) : '503');
const rowOf = ({ what, first, usual, bar }: Measured): string =>
  `| ${what} | ${ms(first)} | ${ms(usual)} | ${bar} | ${usual <= bar ? 'yes' : 'NO'} |`;

async function measure(rows: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-pages-'));
  try {
    const [now, begin] = [Date.now(), performance.now()];
    await fillLog(join(folder, 'data'), rows, now);
    const size = statSync(join(folder, 'data', 'modelgate.sqlite')).size;
    console.error(`${rows} rows, ${Math.round(size / 1e6)} MB, filled in ${Math.round((performance.now() - begin) / 1_000)} s`);
    const pages = await openPages(folder);
    console.log('| read | first ms | ms | bar | kept |\n|---|---|---|---|---|');
    const measured = await askAll(pages, now).finally(pages.close);
    console.log(
      `\n${rows.toLocaleString('en')} rows, ${Math.round(size / 1e6)} MB, Node ${process.version}, load ${loadavg()[0]?.toFixed(2)}.`,
    );
    return measured.every(({ usual, bar }) => usual <= bar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readRows(args: string[]): number | null {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '1000000' }, help: { type: 'boolean', default: false } },
  });
  return values.help ? null : readNumber('--rows', values.rows, { from: 1_000, to: 10_000_000 });
}

function hasRoom(rows: number): boolean {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize > 2 * rows * BYTES_BY_ROW;
}

try {
  const rows = readRows(process.argv.slice(2));
  if (rows === null) console.log(help);
  else if (hasRoom(rows)) process.exitCode = (await measure(rows)) ? 0 : 1;
  else {
    console.error(`${tmpdir()} has too little room for ${rows} rows: fewer with --rows, or another folder with TMPDIR.`);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(`bench:pages: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = isMisuse(error) ? 2 : 1;
}
