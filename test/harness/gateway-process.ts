/** Runs `modelgate serve` as a process on a data folder. Tests start, kill, stop and restart it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { openAccess } from '../../server/access/access.ts';
import { issueKey } from '../../server/access/issue-key.ts';
import { openLedgerSteps, openSqliteLedger } from '../../server/money/sqlite.ts';
import { getDatabasePath, openDatabase, runInline } from '../../server/store/sqlite/database.ts';
import { compileCache } from './compile-cache.ts';
import { temporaryFolder } from './folder.ts';
import { hangLimitMs } from './hang-limit.ts';
import { launch } from './launch.ts';
import { withOneAttempt } from './one-attempt.ts';
import { withPrices } from './prices.ts';

export interface SettingUp {
  /** Settings as in modelgate.yaml. */
  readonly settings: Record<string, unknown>;
  /** The data folder. Absent: a new folder for the test. */
  readonly data?: string;
  /** A command that starts the process, such as a tracer; it gets the rest of the command line as arguments. */
  readonly under?: readonly string[];
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** The program. Absent: the bundle of this run, or else the sources. */
  readonly program?: string;
}

const balance = 1_000_000_000n;

/** Creates an account with a thousand dollars and a key. Does not start the process. */
export async function setUp({
  settings,
  data = join(temporaryFolder(), 'data'),
  under = [],
  node = [],
  program = launch,
}: SettingUp): Promise<GatewayProcess> {
  const folder = temporaryFolder();
  const file = join(folder, 'modelgate.yaml');
  writeFileSync(file, stringify({ data, ...withOneAttempt(withPrices(settings)) }));
  const { connection, close } = openDatabase({ folder: data, durability: 'strict' });
  const { key, accountId } = await issueKey(
    { accountName: 'default', name: 'test' },
    { ...(await openAccess(data, { connection })), now: Date.now },
  );
  const ledger = openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) });
  await ledger.adjust({ accountId, transfer: 'opening', kind: 'top_up', amount: balance, note: null, at: Date.now() });
  close();
  const served = new GatewayProcess({
    key,
    data,
    command: [...under, process.execPath, ...node, program, 'serve', '--config', file, '--port', '0'],
  });
  onTestFinished(() => served.kill());
  return served;
}

interface ServedParts {
  readonly key: string;
  readonly data: string;
  readonly command: readonly string[];
}

export class GatewayProcess {
  readonly key: string;
  readonly data: string;
  readonly #command: readonly string[];
  #child: ChildProcessWithoutNullStreams | null = null;
  /** Origin of the gateway, without a path. */
  origin = '';
  /** The text that all processes so far wrote to stderr. */
  log = '';

  constructor({ key, data, command }: ServedParts) {
    this.key = key;
    this.data = data;
    this.#command = command;
  }

  /** Starts a process. Resolves with true when it listens, with false when it ended before. */
  start(): Promise<boolean> {
    const [program = '', ...words] = this.#command;
    const child = spawn(program, words, { env: { PATH: process.env.PATH ?? '', ...compileCache } });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
    return this.#readBanner(child);
  }

  /** Starts a process. Throws when it ends before it listens. */
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

  /** Sends SIGTERM. Resolves with the exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Waits for the process to end by itself. Resolves with the exit code. */
  async ended(): Promise<number | null> {
    return this.#end(null);
  }

  /** The parsed log lines with this message. */
  logged(message: string): readonly Record<string, unknown>[] {
    const lines = this.log.split('\n').filter((line) => line.includes(JSON.stringify(message)));
    return lines.map((line) => JSON.parse(line));
  }

  /** Opens the SQLite database read-only, as another process would. */
  open(): DatabaseSync {
    return new DatabaseSync(getDatabasePath(this.data), { readOnly: true, timeout: hangLimitMs });
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
