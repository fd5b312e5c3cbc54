/** Starts a gateway process whose file a test changes under load, with two vendors and an admin key. */
import { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { openAccess } from '../../../server/access/access.ts';
import { issueAdminKey } from '../../../server/access/issue-key.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { freePort } from '../../harness/free-port.ts';
import { GatewayProcess, setUp } from '../../harness/gateway-process.ts';
import { launch } from '../../harness/launch.ts';
import { calm } from '../../harness/one-attempt.ts';

type Settings = Record<string, unknown>;

export interface Stage {
  readonly served: GatewayProcess;
  readonly first: Fake;
  readonly second: Fake;
  readonly file: string;
  /** Sets VENDOR_KEY. */
  readonly envFile: string;
  readonly adminKey: string;
  readonly adminOrigin: string;
  /** The settings at the start, with changes of top-level keys. */
  settings(changes?: Settings): Settings;
  /** Replaces the file by a rename. */
  write(settings: Settings | string): void;
  call(body?: Settings): Promise<Response>;
  /** POST /admin/v1/config/reload */
  reload(key?: string): Promise<{ readonly status: number; readonly body: ReloadBody }>;
  /** Sends SIGHUP, and returns the log line that follows. */
  hangUp(message: string): Promise<Record<string, unknown>>;
  /** Starts callers that make one call after another until they are stopped; each answer must be 200. */
  load(callers: number): () => Promise<number>;
  /** The price versions of the posted charges, in the order of the calls. */
  versions(): readonly number[];
  /** Open files and sockets of the process. */
  handles(): number;
  /** Connections of the process to its database. */
  databases(): number;
  residentBytes(): number;
}

export interface ReloadBody {
  readonly error?: { readonly message: string; readonly code: string; readonly param: string | null };
  readonly problems?: readonly { readonly where: string; readonly key: string; readonly message: string; readonly hint: string }[];
  readonly [field: string]: unknown;
}

export const RELOADED = 'configuration reloaded';
export const REFUSED = 'configuration not reloaded; the previous one is still active';

export async function openStage(changes: Settings = {}): Promise<Stage> {
  const [first, second] = await Promise.all([openNamed('first'), openNamed('second')]);
  const folder = temporaryFolder();
  const file = join(folder, 'modelgate.yaml');
  const adminPort = await freePort();
  const made = await setUp({ settings: {} });
  const settings: Stage['settings'] = (more = {}) => ({
    data: made.data,
    admin: { port: adminPort },
    upstreams: { vendor: { kind: 'openai', baseUrl: first.url, apiKey: `\${VENDOR_KEY}` } },
    groups: { team: { multiplier: '1' } },
    models: [
      { id: 'm', kind: 'text', prices: { input: '1', output: '2' } },
      { id: 'n', kind: 'text', prices: { input: '1', output: '2' } },
    ],
    ...changes,
    ...more,
    // Load shedding stays off, since tests run on busy machines.
    server: { ...calm, ...Object(more.server ?? changes.server) },
  });
  const write: Stage['write'] = (content) => {
    writeFileSync(`${file}.new`, typeof content === 'string' ? content : stringify(content));
    renameSync(`${file}.new`, file);
  };
  write(settings());
  const envFile = join(folder, 'secrets.env');
  writeFileSync(envFile, 'VENDOR_KEY=sk-vendor-secret\n');
  const command = [process.execPath, launch, 'serve', '--config', file, '--environment-file', envFile, '--port', '0'];
  const served = new GatewayProcess({ key: made.key, data: made.data, command });
  onTestFinished(() => served.kill());
  await served.run();
  const adminKey = await makeAdminKey(made.data);
  const adminOrigin = `http://127.0.0.1:${adminPort}`;
  const call: Stage['call'] = (body = {}) =>
    fetch(`${served.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], ...body }),
    });
  return {
    served,
    first,
    second,
    file,
    envFile,
    adminKey,
    adminOrigin,
    settings,
    write,
    call,
    async reload(key = adminKey) {
      const answer = await fetch(`${adminOrigin}/admin/v1/config/reload`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
      // Tests check the fields that they need.
      return { status: answer.status, body: (await answer.json()) as ReloadBody };
    },
    async hangUp(message) {
      const lines = () => served.logged(message).filter(({ trigger }) => trigger === 'signal');
      const before = lines().length;
      process.kill(served.pid, 'SIGHUP');
      await expect.poll(() => lines().length).toBe(before + 1);
      return lines()[before] ?? {};
    },
    load: (callers) => openLoad(call, callers),
    versions() {
      const connection = served.open();
      const rows = connection.prepare("SELECT price_version FROM charges WHERE state = 'posted' ORDER BY created_at, request_id").all();
      connection.close();
      return rows.map((row) => Number(row.price_version));
    },
    handles: () => handlesOf(served.pid).length,
    databases: () => handlesOf(served.pid).filter((target) => target.endsWith('modelgate.sqlite')).length,
    residentBytes: () => 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${served.pid}/status`, 'utf8'))?.[1]),
  };
}

/** The targets of the open files and sockets of a process. One may close while they are read. */
function handlesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return [];
    }
  });
}

/** A vendor that answers with its name. */
async function openNamed(name: string): Promise<Fake> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  return fake.always(json(chatCompletion({ text: name })));
}

/** The text of the vendor's answer. */
export async function textOf(answer: Response): Promise<string> {
  // The fields that tests need.
  const body = (await answer.json()) as { choices?: { message: { content: string } }[] };
  return body.choices?.[0]?.message.content ?? JSON.stringify(body);
}

function openLoad(call: Stage['call'], callers: number): () => Promise<number> {
  let isOver = false;
  let answered = 0;
  const go = async (): Promise<void> => {
    while (!isOver) {
      const answer = await call();
      const text = await textOf(answer);
      if (answer.status !== 200) throw new Error(`a caller got ${answer.status}: ${text}`);
      answered += 1;
    }
  };
  const running = Promise.all(Array.from({ length: callers }, go));
  // The error is thrown by the `await` below, unless the test has failed before.
  running.catch(() => undefined);
  return async () => {
    isOver = true;
    await running;
    return answered;
  };
}

async function makeAdminKey(data: string): Promise<string> {
  const { connection, close } = openDatabase({ folder: data, durability: 'relaxed' });
  const { key } = await issueAdminKey('tester', { ...(await openAccess(data, { connection })), now: Date.now });
  close();
  return key;
}
