/** Three gateways behind a balancer restart one after the other under load: no call and no stream shorter than the drain fails (G9). */
import { Client } from 'pg';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { chatCompletion } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import type { FakeRequest } from '../../fakes/exchange.ts';
import type { Script } from '../../fakes/script.ts';
import { openFake } from '../../fakes/upstream.ts';
import { behind } from '../../harness/gateway.ts';
import { chat } from '../../harness/protocols.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { postgresMissing, redisMissing } from '../../harness/servers.ts';
import { openSharedServerDatabases } from '../../harness/shared-server-databases.ts';
import { type Cluster, startCluster } from '../../programs/cluster/cluster.ts';
import type { GatewayProcess } from '../../programs/cluster/gateway-process.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const leftOut = missing.map((reason) => `, LEFT OUT: ${reason}`).join('');

/** The balancer checks ten times a second. A call is lost if its connection was not yet accepted when the port closed. */
const server = { trustedProxies: ['127.0.0.1/32'], readinessDelayMs: 2_000, drainMs: 60_000, overload: { loopDelayMs: 0 } };
const models = [{ id: 'gpt-5.4', kind: 'text', maxOutputTokens: 1_000, prices: { input: '0.01', output: '0.04' } }];
const everyMs = 30;
/** At least. */
const calls = 196;
const streams = 84;
/** Of ten calls. */
const streamsOfTen = 3;
const streamMs = 2_000;

/** A stream is still running when its gateway is told to stop; a JSON answer takes long enough to be cut. */
function slowly({ fields }: FakeRequest): Script {
  if (fields.stream !== true) return json(chatCompletion({}), { gapMs: 60 });
  return stream(chat.frames, { gapMs: streamMs / chat.frames.length });
}

interface AttemptRecord {
  json: number;
  streams: number;
  /** What went wrong, in words. */
  readonly lost: string[];
}

interface Load {
  readonly tally: AttemptRecord;
  stop(): Promise<void>;
}

/** Calls at a fixed rate, whatever becomes of the earlier ones, without retries. */
function openLoad({ origin, key }: Cluster): Load {
  const agent = new Agent({ connections: null, pipelining: 1 });
  const tally: AttemptRecord = { json: 0, streams: 0, lost: [] };
  const running = new Set<Promise<void>>();
  let sent = 0;
  const timer = setInterval(() => {
    const isStream = sent++ % 10 < streamsOfTen;
    const call = callOnce({ origin, key, agent }, isStream)
      .then(() => void (isStream ? tally.streams++ : tally.json++))
      .catch((error: unknown) => void tally.lost.push(`${isStream ? 'stream' : 'JSON'} ${String(error)}`))
      .finally(() => running.delete(call));
    running.add(call);
  }, everyMs);
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    await Promise.all(running);
    await agent.destroy();
  };
  onTestFinished(stop);
  return { tally, stop };
}

/** Throws where the answer is not whole. */
async function callOnce({ origin, key, agent }: { origin: string; key: string; agent: Agent }, isStream: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asked = JSON.stringify({ ...chat.ask, ...(isStream && chat.streamed) });
  const { statusCode, body } = await request(`${origin}/v1${chat.path}`, { method: 'POST', headers, body: asked, dispatcher: agent });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
  if (isStream) chat.expectWhole(text);
  else if (!text.endsWith('}')) throw new Error(`cut: ${text}`);
}

/** Resolves with the exit code when the balancer sees the new process as ready. */
async function restart(gateway: GatewayProcess, { balancer }: Cluster): Promise<number | null> {
  const code = await gateway.stop('SIGTERM');
  await gateway.start();
  await expect.poll(() => balancer.ready).toContain(gateway.origin);
  return code;
}

/** Request ids of the holds that nobody settled. */
async function heldIn({ postgres }: Cluster): Promise<readonly unknown[]> {
  const client = new Client(postgres.url);
  await client.connect();
  const { rows } = await client.query("SELECT request_id FROM charges WHERE state = 'held'");
  await client.end();
  return rows;
}

test.skipIf(missing.length > 0)(
  `F56, G9: fails no call or shorter stream while three gateways restart in turn under load${leftOut}`,
  async ({ annotate }) => {
    const fake = (await openFake()).always(slowly);
    onTestFinished(() => fake.close());
    const cluster = await startCluster({
      gateways: 3,
      servers: openSharedServerDatabases,
      config: { ...behind(fake.url), models, server, database: { timeoutMs: 60_000 }, admin: { enabled: false } },
    });
    onTestFinished(() => cluster.stop('SIGKILL').then(() => undefined));
    const { tally, stop } = openLoad(cluster);
    const pids = cluster.gateways.map(({ pid }) => pid);
    const codes: (number | null)[] = [];
    for (const gateway of cluster.gateways) codes.push(await restart(gateway, cluster));
    await expect.poll(() => tally.json >= calls && tally.streams >= streams, { timeout: 120_000 }).toBe(true);
    await stop();
    await annotate(`${tally.json} calls and ${tally.streams} streams while three gateways restarted, ${tally.lost.length} lost`);
    expect(tally.lost).toEqual([]);
    expect(codes).toEqual([0, 0, 0]);
    expect(cluster.gateways.filter(({ pid }) => pids.includes(pid))).toEqual([]);
    expect(JSON.parse(await cluster.command('ledger', 'reconcile', '--json'))).toMatchObject({ is_consistent: true, differences: [] });
    expect(await heldIn(cluster)).toEqual([]);
    recordAttempts(['G2', 'G9'], { what: 'calls and streams while three gateways restarted', times: calls + streams });
  },
);
