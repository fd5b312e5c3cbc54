/** The gateway that is fuzzed: the program that operators run, with its own data, its log kept line by line, and a probe inside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'yaml';
import { openAccess } from '../../../server/access/access.ts';
import { issueKey } from '../../../server/access/issue-key.ts';
import { openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import { getDatabasePath, openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { compileCache } from '../../harness/compile-cache.ts';
import { launch } from '../../harness/launch.ts';
import type { Vitals } from './probe.ts';

const probe = new URL('./probe.ts', import.meta.url).href;
/** Millionths of a dollar: nothing that is asked here may fail for want of money. */
const balance = 10n ** 15n;

export interface GatewayUnderFuzz {
  readonly port: number;
  readonly key: string;
  /** Nothing below it may be told to a caller. */
  readonly folder: string;
  readonly isAlive: boolean;
  /** What it has written on stderr. */
  readonly log: string;
  vitals(): Promise<Vitals>;
  /** CPU time of its event loop, in milliseconds, for the costliest body that is let in: to be read once and written again. */
  yardstick(): Promise<number>;
  openLedger(): DatabaseSync;
  close(): Promise<void>;
}

export async function startGatewayUnderFuzz(settings: Record<string, unknown>): Promise<GatewayUnderFuzz> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-fuzz-'));
  const [data, file] = [join(folder, 'data'), join(folder, 'modelgate.yaml')];
  writeFileSync(file, stringify({ data, ...settings }));
  const key = await prepareAccount(data);
  const args = ['--import', probe, launch, 'serve', '--config', file, '--port', '0'];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...compileCache },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const port = await portOf(child, log);
  return {
    port,
    key,
    folder,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    get log() {
      return log.join('');
    },
    // The probe sends nothing else in answer to these.
    vitals: async () => ((await askProbe(child, 'vitals')) as { vitals: Vitals }).vitals,
    yardstick: async () => ((await askProbe(child, 'yardstick')) as { yardstickMs: number }).yardstickMs,
    openLedger: () => new DatabaseSync(getDatabasePath(data), { readOnly: true, timeout: 30_000 }),
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function prepareAccount(data: string): Promise<string> {
  const { connection, close } = openDatabase({ folder: data, durability: 'relaxed' });
  const { key, accountId } = await issueKey(
    { accountName: 'default', name: 'fuzz' },
    { ...(await openAccess(data, { connection })), now: Date.now },
  );
  const ledger = openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) });
  await ledger.adjust({ accountId, transfer: 'opening', kind: 'top_up', amount: balance, note: null, at: Date.now() });
  close();
  return key;
}

async function portOf(child: ChildProcess, log: readonly string[]): Promise<number> {
  let banner = '';
  if (child.stdout === null) throw new TypeError('the output of the gateway is not read');
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    banner += text;
    const port = /Base URL +http:\S+:(\d+)\/v1\n/.exec(banner)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return Number(port);
  }
  throw new Error(`the gateway ended before it listened: ${log.join('').slice(-2_000)}`);
}

async function askProbe(child: ChildProcess, question: 'vitals' | 'yardstick'): Promise<unknown> {
  const stop = new AbortController();
  const gone = once(child, 'exit', stop).then(() => Promise.reject(new Error('the gateway has died')));
  const heard = once(child, 'message', stop);
  child.send(question);
  try {
    const [message] = await Promise.race([heard, gone]);
    return message;
  } finally {
    gone.catch(() => undefined);
    stop.abort();
  }
}
