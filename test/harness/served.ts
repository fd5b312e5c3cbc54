/** The product as its operator runs it, a process of its own over a data folder: started, killed without a word, stopped, started again. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { issueKey } from '../../server/access/issue.ts';
import { openAccess } from '../../server/access/open.ts';
import { openSqliteLedger } from '../../server/ledger/sqlite.ts';
import { openLedgerSteps } from '../../server/ledger/write-steps.ts';
import { databaseFile, openDatabase } from '../../server/storage/sqlite/database.ts';
import { runHere } from '../../server/storage/sqlite/write-operations.ts';
import { compileCache } from './compile-cache.ts';
import { temporaryFolder } from './folder.ts';
import { hangLimitMs } from './hang-limit.ts';
import { withOneAttempt } from './one-attempt.ts';
import { withPrices } from './prices.ts';

export interface SettingUp {
  /** As in modelgate.yaml. */
  readonly settings: Record<string, unknown>;
  /** A folder of the test's own where left out. */
  readonly data?: string;
  /** What the process is started by, for example a tracer; it takes the rest of the command line. */
  readonly under?: readonly string[];
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

const launch = join(import.meta.dirname, '../../server/commands/launch.mjs');
const balance = 1_000_000_000n;

/** An account with a thousand dollars and a key; the process is not started yet. */
export async function setUp({ settings, data = join(temporaryFolder(), 'data'), under = [], node = [] }: SettingUp): Promise<Served> {
  const folder = temporaryFolder();
  const file = join(folder, 'modelgate.yaml');
  writeFileSync(file, stringify({ data, ...withOneAttempt(withPrices(settings)) }));
  const { connection, close } = openDatabase({ folder: data, durability: 'strict' });
  const { key, accountId } = await issueKey(
    { accountName: 'default', name: 'test' },
    { ...(await openAccess(data, { connection })), now: Date.now },
  );
  const ledger = openSqliteLedger({ connection, steps: runHere(connection, openLedgerSteps) });
  await ledger.adjust({ accountId, transfer: 'opening', kind: 'top_up', amount: balance, note: null, at: Date.now() });
  close();
  const served = new Served({
    key,
    data,
    command: [...under, process.execPath, ...node, launch, 'serve', '--config', file, '--port', '0'],
  });
  onTestFinished(() => served.kill());
  return served;
}

interface ServedParts {
  readonly key: string;
  readonly data: string;
  readonly command: readonly string[];
}

export class Served {
  readonly key: string;
  readonly data: string;
  readonly #command: readonly string[];
  #child: ChildProcessWithoutNullStreams | null = null;
  /** Without a path. */
  origin = '';
  /** What all processes so far wrote on stderr. */
  log = '';

  constructor({ key, data, command }: ServedParts) {
    this.key = key;
    this.data = data;
    this.#command = command;
  }

  /** Resolves when it listens; false where it ended before that. */
  start(): Promise<boolean> {
    const [program = '', ...words] = this.#command;
    const child = spawn(program, words, { env: { PATH: process.env.PATH ?? '', ...compileCache } });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
    return this.#readBanner(child);
  }

  /** Starts, and throws where it did not come so far. */
  async run(): Promise<void> {
    if (!(await this.start())) throw new Error(`the gateway ended before it was ready: ${this.log.slice(-2_000)}`);
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the gateway is not running');
    return pid;
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** By SIGTERM; its exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** The exit code of a process that ends by itself. */
  async ended(): Promise<number | null> {
    return this.#end(null);
  }

  /** Log lines with this message. */
  logged(message: string): readonly Record<string, unknown>[] {
    const lines = this.log.split('\n').filter((line) => line.includes(JSON.stringify(message)));
    return lines.map((line) => JSON.parse(line));
  }

  /** The database as another process sees it, for questions. */
  open(): DatabaseSync {
    return new DatabaseSync(databaseFile(this.data), { readOnly: true, timeout: hangLimitMs });
  }

  async #end(signal: NodeJS.Signals | null): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      if (signal !== null) child.kill(signal);
      await exit;
    }
    return child.exitCode;
  }

  async #readBanner(child: ChildProcessWithoutNullStreams): Promise<boolean> {
    let banner = '';
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      banner += text;
      const origin = /Base URL +(http:\S+)\/v1\n/.exec(banner)?.[1];
      if (origin === undefined) continue;
      this.origin = origin;
      child.stdout.resume();
      return true;
    }
    return false;
  }
}
