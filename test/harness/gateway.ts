/** Starts a gateway on a free port for one test file, with its own real stores and sockets. Each answer is checked against the contract. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { stringify } from 'yaml';
import type { Access } from '../../server/access/access.ts';
import { issueKey } from '../../server/access/issue-key.ts';
import type { KeySettings } from '../../server/access/store.ts';
import { openApp } from '../../server/api/app.ts';
import { loadConfig } from '../../server/config/config.ts';
import { type Gateway, openGateway } from '../../server/gateway/gateway.ts';
import { openLog } from '../../server/telemetry/log.ts';
import { unnamedHeaders, unnamedIn, watchOrders } from './contract-check.ts';
import { hangLimitMs } from './hang-limit.ts';
import { withOneAttempt } from './one-attempt.ts';
import { withPrices } from './prices.ts';
import { freshStores } from './stores.ts';

export interface TestGateway {
  /** Base URL, ending in `/v1`. */
  readonly baseURL: string;
  readonly origin: string;
  readonly key: string;
  readonly folder: string;
  readonly gateway: Gateway;
  /** The parsed log lines so far. */
  readonly lines: Record<string, unknown>[];
  /** fetch with the key, for a path below the base URL. A body that is neither bytes nor a form is sent as JSON. */
  call(path: string, init?: CallInit): Promise<Response>;
  /** Creates a key of the named account, else of `default`. A new account gets the group and the balance, in micro-dollars. */
  newKey(order?: NewKeyOrder): Promise<{ key: string; id: string; accountId: string }>;
  /** Revokes a key. The gateway may accept a key in use for up to a second more. */
  editKey(id: string, changes: Partial<KeySettings>): Promise<void>;
  revokeKey(id: string): Promise<void>;
  /** Changes accounts and keys in the stores directly. */
  withAccess<T>(work: (access: Access) => Promise<T>): Promise<T>;
  /** Resolves with the log line of a request, by its answer or its id. */
  lineOf(request: Response | string): Promise<Record<string, unknown>>;
  /** Resolves with the first log line for which `fits` returns true. */
  lineWhere(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

type NewKeyOrder = Partial<KeySettings> & { readonly account?: string; readonly group?: string; readonly balance?: bigint };

export interface CallInit {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly headers?: Record<string, string>;
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

/** The simulator without the pauses that make a stream look like one. */
const swift = { kind: 'simulator', eventDelayMs: 0 };

/** Starts the gateway. `settings`: as in modelgate.yaml. Absent: the simulator with the standard catalog. */
export async function startGateway(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-test-'));
  const file = join(folder, 'modelgate.yaml');
  const own = { validateResponses: true, data: join(folder, 'data'), upstreams: { simulator: swift }, ...(await freshStores()) };
  await writeFile(file, stringify(unhurried({ ...own, ...withOneAttempt(withPrices(settings)) })));
  const config = loadConfig({ file, port: 0 }, {});
  const { lines, lineWhere, sink } = collectLines();
  const gateway = await openGateway(config, openLog({ log: { level: 'info' } }, sink));
  const isOrdered = watchOrders(gateway.activity);
  const app = await openApp(gateway);
  // The product's backlog: a thousand clients may connect while the event loop is busy.
  await app.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
  // A listening TCP server has an address with a port.
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  const withAccess: TestGateway['withAccess'] = (work) => work(gateway.access);
  const newKey: TestGateway['newKey'] = async ({ account = 'default', balance = 1_000_000_000n, ...order } = {}) => {
    const made = await withAccess((access) =>
      issueKey({ accountName: account, name: 'test', ...order }, { ...access, now: Date.now, actor: 'test' }),
    );
    const { accountId } = made;
    const topUp = { accountId, transfer: `opening of ${accountId}`, kind: 'top_up', amount: balance, note: null, at: Date.now() } as const;
    if (made.isNewAccount && balance > 0n) await gateway.money?.ledger.adjust(topUp);
    return made;
  };
  const audit = (action: string, target: string) => ({ actor: 'test', action, target, details: {}, at: Date.now() });
  const { key } = await newKey();
  return {
    baseURL: `${origin}/v1`,
    origin,
    key,
    folder,
    gateway,
    lines,
    newKey,
    editKey: (id, changes) => withAccess(async ({ store }) => void (await store.editKey(id, changes, audit('key.edit', id)))),
    revokeKey: (id) => withAccess(async ({ store }) => void (await store.revokeKey(id, audit('key.revoke', id)))),
    withAccess,
    lineOf(request) {
      const id = typeof request === 'string' ? request : request.headers.get('x-request-id');
      return lineWhere((line) => line.msg === 'request' && line.id === id);
    },
    lineWhere,
    call: (path, init = {}) => send(`${origin}/v1${path}`, key, init),
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
      const unnamed = unnamedIn(lines, isOrdered);
      if (unnamed.length > 0) throw new Error(`The contract does not name what was answered: ${unnamed.join(', ')}`);
    },
  };
}

type Sections = Readonly<Record<string, object | undefined>>;

/** Turns load shedding off and waits 30 s for a store, unless the settings say otherwise: fake vendors and callers share the event loop with the gateway, on a busy machine. */
export function unhurried(settings: Record<string, unknown>): Record<string, unknown> {
  // `as`: each section of a configuration is an object.
  const { server, database, redis } = settings as Sections;
  const overload = (server as Sections | undefined)?.overload;
  return {
    ...settings,
    server: { ...server, overload: { loopDelayMs: 0, memoryMiB: 0, ...overload } },
    database: { timeoutMs: 30_000, ...database },
    redis: { timeoutMs: 30_000, ...redis },
  };
}

async function send(url: string, ownKey: string, { method, json, body, headers, key, signal }: CallInit): Promise<Response> {
  const payload = json === undefined ? body : JSON.stringify(json);
  const used = method ?? (payload === undefined ? 'GET' : 'POST');
  const answer = await fetch(url, {
    method: used,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key ?? ownKey}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
    ...(signal ? { signal } : {}),
  });
  const unnamed = unnamedHeaders(used, answer);
  if (unnamed.length > 0) throw new Error(`The contract does not name what was sent: ${unnamed.join(', ')}`);
  return answer;
}

interface LogLines {
  readonly lines: Record<string, unknown>[];
  readonly lineWhere: TestGateway['lineWhere'];
  readonly sink: Writable;
}

function collectLines(): LogLines {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).split('\n').filter(Boolean)) lines.push(JSON.parse(line));
      sink.emit('lines');
      done();
    },
  });
  async function lineWhere(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    const signal = AbortSignal.timeout(hangLimitMs);
    for (;;) {
      const line = lines.find(fits);
      if (line) return line;
      await once(sink, 'lines', { signal }).catch(() => {
        throw new Error(`no such line in the log: ${JSON.stringify(lines.slice(-3))}`);
      });
    }
  }
  return { lines, lineWhere, sink };
}

/** Settings for a gateway in front of one upstream of the OpenAI protocol. */
export function behind(url: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { upstreams: { vendor: { kind: 'openai', baseUrl: url, apiKey: 'sk-vendor-secret', ...more } } };
}
