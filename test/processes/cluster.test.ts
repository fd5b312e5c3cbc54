/** `npm run cluster`, and the same code as tests start it: several gateways that act as one, and nothing left behind (promises G1, G11). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresMissing, redisMissing } from '../harness/servers.ts';
import { type Cluster, startCluster } from '../programs/cluster/cluster.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const leftOut = missing.map((reason) => `, LEFT OUT: ${reason}`).join('');
const program = join(import.meta.dirname, '../programs/cluster/run.ts');
const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }] };

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function answersAt(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const answers = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
    () => false,
  );
  socket.destroy();
  return answers;
}

/** A temporary folder of this test alone, so that what is left in it is ours. */
function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function readBlock({ stdout }: ChildProcessWithoutNullStreams): Promise<string> {
  let said = '';
  for await (const piece of stdout.iterator({ destroyOnReturn: false })) {
    said += piece;
    if (said.includes('Ctrl-C')) break;
  }
  return said;
}

/** Its exit code and its stderr. */
async function endOf(child: ChildProcessWithoutNullStreams): Promise<{ code: number; said: string }> {
  let said = '';
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

describe.skipIf(missing.length > 0)(`a cluster of two${leftOut}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop('SIGKILL'));

  const ask = (more: object = {}): Promise<Response> =>
    fetch(`${cluster.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cluster.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...more }),
    });
  const served = (): number[] =>
    cluster.gateways.map(({ logFile }) => readFileSync(logFile, 'utf8').split('"/v1/chat/completions"').length - 1);

  test('ten calls to one address with one key are served by both gateways, five each', async () => {
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await ask()).status));
    expect(statuses).toEqual(statuses.map(() => 200));
    await expect.poll(served).toEqual([5, 5]);
  });

  test('a stream arrives in pieces and ends with [DONE]', async () => {
    const answer = await ask({ stream: true });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const pieces: string[] = [];
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toMatch(/\ndata: \[DONE\]\n\n$/);
  });

  test('a command works on the same accounts as the gateways', async () => {
    const adminKey = (await cluster.command('admin-key', 'create')).trim();
    for (const { adminOrigin } of cluster.gateways) {
      const answer = await fetch(`${adminOrigin}/admin/v1/accounts`, { headers: { authorization: `Bearer ${adminKey}` } });
      expect(await answer.json()).toMatchObject({ data: [{ name: 'default' }] });
    }
  });

  test('calls are served while a gateway is killed, and it serves calls again after its restart', async () => {
    const [first, second] = cluster.gateways;
    await first?.stop('SIGKILL');
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await ask()).status));
    expect(statuses).toEqual(statuses.map(() => 200));
    await first?.start();
    expect(first?.origin).not.toBe(second?.origin);
    const [before = 0] = served();
    const more = async (): Promise<number> => {
      await (await ask()).text();
      return (served()[0] ?? 0) - before;
    };
    await expect.poll(more).toBeGreaterThan(0);
  });

  test('after the stop no process, no server and no file is left', async () => {
    const { gateways, folder, postgres, redis, origin } = cluster;
    const pids = gateways.map(({ pid }) => pid);
    expect(pids.map(isAlive)).toEqual([true, true]);
    expect(await cluster.stop()).toEqual({ exitCodes: [0, 0] });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(await Promise.all([postgres.url, redis.url, origin].map(answersAt))).toEqual([false, false, false]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe.skipIf(missing.length > 0)(`npm run cluster${leftOut}`, () => {
  function start(folder: string, env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [program, '--gateways', '1'], { env: { ...process.env, TMPDIR: folder, ...env } });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  test('prints addresses and keys that work, and a Ctrl-C ends all of it', async () => {
    const folder = ownTemporaryFolder();
    const child = start(folder);
    const said = await readBlock(child);
    const shown = (name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(said)?.[1] ?? '';
    const models = await fetch(`${shown('Base URL')}/models`, { headers: { authorization: `Bearer ${shown('API key')}` } });
    expect(models.status).toBe(200);
    const accounts = shown('Admin API').replace('/docs', '/v1/accounts');
    expect((await fetch(accounts, { headers: { authorization: `Bearer ${shown('Admin key')}` } })).status).toBe(200);
    const pid = Number(/process (\d+)/.exec(said)?.[1]);
    expect(isAlive(pid)).toBe(true);
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
    expect(isAlive(pid)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves nothing behind when it is killed', async () => {
    const folder = ownTemporaryFolder();
    const child = start(folder);
    const said = await readBlock(child);
    const pid = Number(/process (\d+)/.exec(said)?.[1]);
    child.kill('SIGKILL');
    await expect.poll(() => [isAlive(pid), readdirSync(folder)]).toEqual([false, []]);
  });

  test('that cannot start prints the reason and leaves no files', async () => {
    const folder = ownTemporaryFolder();
    const child = start(folder, { MODELGATE_LOG_LEVEL: 'loud' });
    expect(await endOf(child)).toEqual({ code: 1, said: expect.stringMatching(/^cluster: .*the configuration has a problem/s) });
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('without Redis the error names the package to install', async () => {
  const { code, said } = await endOf(spawn(process.execPath, [program], { env: { PATH: '/nowhere' } }));
  expect(said).toMatch(/^cluster: .*Redis is not installed here.* On Debian: apt-get install .*redis-server\n$/);
  expect(code).toBe(1);
});

test('the error names an option that is wrong', async () => {
  const { code, said } = await endOf(spawn(process.execPath, [program, '--gateways', '0']));
  expect(said).toMatch(/^cluster: --gateways takes a whole number from 1 to 16\./);
  expect(code).toBe(2);
});
