/** Runs one turn of the real Codex CLI against a gateway. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestGateway } from './gateway.ts';
import { codex } from './tools.ts';

/** Milliseconds after which a hanging turn is ended. Long, because the machine may be busy. */
const turnLimitMs = 110_000;

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

export interface CodexOrder {
  readonly gateway: TestGateway;
  readonly model: string;
  readonly prompt: string;
  /** More lines of the provider's table in `config.toml`. */
  readonly provider?: readonly string[];
  /** More arguments of `codex exec`. */
  readonly flags?: readonly string[];
}

export interface CodexTurn {
  readonly exitCode: number | null;
  /** The printed JSON objects, one for each line. */
  readonly events: readonly Event[];
  /** Completed items, without their ids. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** The usage in `turn.completed`; null when the turn did not complete. */
  readonly usage: Readonly<Record<string, number>> | null;
  readonly stderr: string;
  /** Hosts other than the gateway that it tried to reach. */
  readonly strangers: readonly string[];
  /** The text of a file in the working directory. */
  readFile(name: string): Promise<string>;
  /** Deletes the working directory. */
  forget(): Promise<void>;
}

/** Runs one turn in a new folder with a new home. Requests to hosts other than loopback go to a proxy that only records the host. */
export async function runCodex(order: CodexOrder): Promise<CodexTurn> {
  const root = await openFolder(order);
  const strangers: string[] = [];
  const proxy = await openProxy(strangers);
  try {
    const { exitCode, stdout, stderr } = await execute(order, root, proxyEnvironment(proxy));
    const events: Event[] = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return {
      exitCode,
      events,
      items: events.filter(({ type }) => type === 'item.completed').map(({ item }) => withoutId(item)),
      usage: usageOf(events),
      stderr,
      strangers,
      readFile: (name) => readFile(join(root, 'work', name), 'utf8'),
      forget: () => rm(root, { recursive: true, force: true }),
    };
  } finally {
    proxy.close();
  }
}

async function openFolder({ gateway, provider = [] }: CodexOrder): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'modelgate-codex-run-'));
  for (const name of ['work', 'home', 'codex']) await mkdir(join(root, name));
  await writeFile(join(root, 'codex', 'config.toml'), await codexConfig(gateway.baseURL, provider));
  return root;
}

/** The `config.toml` of the guide, with all features turned off that would contact another host. */
async function codexConfig(baseURL: string, provider: readonly string[]): Promise<string> {
  const guide = await readFile(new URL('../../docs/guides/codex.md', import.meta.url), 'utf8');
  const table = /```toml\n([^`]+)```/.exec(guide)?.[1] ?? '';
  const own = table.replace(/^base_url = .*$/m, `base_url = "${baseURL}"`);
  if (own === table) throw new Error('the guide shows no base_url');
  return [
    'check_for_update_on_startup = false',
    own,
    ...provider,
    '[analytics]',
    'enabled = false',
    '[features]',
    'plugins = false',
    'apps = false',
  ].join('\n');
}

async function openProxy(strangers: string[]): Promise<Server> {
  const proxy = createServer((request, response) => {
    strangers.push(String(request.url));
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    strangers.push(String(request.url));
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

function proxyEnvironment(proxy: Server): Record<string, string> {
  // A server that listens on TCP has an address with a port.
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
}

interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function execute({ gateway, model, prompt, flags = [] }: CodexOrder, root: string, proxy: Record<string, string>): Promise<Finished> {
  // The folder is a throw-away one, and what is to be run comes from the test.
  const always = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const own = { HOME: join(root, 'home'), CODEX_HOME: join(root, 'codex'), MODELGATE_API_KEY: gateway.key };
  const child = spawn(codex.program, [...always, '-m', model, ...flags, prompt], {
    cwd: join(root, 'work'),
    env: { PATH: process.env.PATH, ...own, ...proxy },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: turnLimitMs,
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout: String(Buffer.concat(out)), stderr: String(Buffer.concat(err)) }));
  });
}

function withoutId(item: unknown): Record<string, unknown> {
  // Codex writes an object here; what is in it is for the test to say.
  const { id: _, ...rest } = item as Record<string, unknown>;
  return rest;
}

function usageOf(events: readonly Event[]): Readonly<Record<string, number>> | null {
  const completed = events.find(({ type }) => type === 'turn.completed');
  // As above: the test says what has to be in it.
  return completed === undefined ? null : (completed.usage as Readonly<Record<string, number>>);
}
