/** Limits on a Redis Cluster: all keys are on one node, and the gateway finds it (promise G11). */
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openMemoryLimits } from '../../../server/limits/limiter.ts';
import { openRedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { examineRedis } from '../../../server/operate/doctor/redis.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { type PrivateServer, redisMissing, startRedis } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { openKeptLog } from './redis-log.ts';
import { becomes, isTaken } from './redis-stage.ts';

const SLOTS = ['0', '16383'];

/** Two nodes; which of them holds the keys is chosen by `own`. */
let nodes: readonly [PrivateServer, PrivateServer] | null = null;

async function command(node: PrivateServer | undefined, ...words: string[]): Promise<string> {
  const client = await createClient({ url: node?.url ?? '' }).connect();
  return String(await client.sendCommand(words).finally(() => client.destroy()));
}

beforeAll(async () => {
  if (redisMissing !== null) return;
  const clusterPassword = randomUUID();
  nodes = [await startRedis({ clusterPassword }), await startRedis({ clusterPassword })];
  const [first, second] = nodes;
  await command(second, 'CLUSTER', 'ADDSLOTSRANGE', ...SLOTS);
  const { hostname, port } = new URL(second.url);
  const [, busPort = ''] = /@(\d+)/.exec(await command(second, 'CLUSTER', 'NODES')) ?? [];
  await command(first, 'CLUSTER', 'MEET', hostname, port, busPort);
  const isReady = async (node: PrivateServer) => expect(await command(node, 'CLUSTER', 'INFO')).toContain('cluster_state:ok');
  for (const node of nodes) await vi.waitFor(() => isReady(node), { timeout: hangLimitMs });
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.close();
});

describe.skipIf(redisMissing)(`limits on a Redis Cluster${leftOut(redisMissing)}`, () => {
  const open = async (url = '', log = openKeptLog()) => {
    const limits = await openRedisLimits({ url, node: randomUUID(), log, fallback: openMemoryLimits(() => 0), waitMs: hangLimitMs });
    onTestFinished(() => limits.close());
    return limits;
  };

  test('G11: shares the limits of a key, an account and a model among processes with different nodes', async () => {
    const log = openKeptLog();
    const [one, other] = [await open(nodes?.[0].url, log), await open(nodes?.[1].url, log)];
    const some = [limitOf('requests', 9), limitOf('requests', 9, { scope: 'account' }), limitOf('concurrency', 20, { scope: 'model' })];
    const calls = Array.from({ length: 12 }, () => [one, other].map((limits) => isTaken(limits, takeOf(some)))).flat();
    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(9);
    expect([one.getState().kind, other.getState().kind, log.lines]).toEqual(['shared', 'shared', []]);
  });

  test('shares limits again after the keys move to another node', async () => {
    const [first, second] = nodes ?? [];
    const limits = await open(second?.url);
    const id = await command(first, 'CLUSTER', 'MYID');
    const slot = await command(second, 'CLUSTER', 'KEYSLOT', '{modelgate}');
    await command(second, 'FLUSHALL');
    for (const node of [first, second]) await command(node, 'CLUSTER', 'SETSLOT', slot, 'NODE', id);
    const limit = limitOf('requests', 2, { subject: 'moved' });
    expect(await isTaken(limits, takeOf([limit]))).toBe(true);
    await becomes([limits], 'shared');
    expect(await (await open(first?.url)).getStatuses([limit])).toMatchObject([{ most: 2, remaining: 1 }]);
  });

  test('follows to the node that holds the keys in the check of Redis', async () => {
    for (const node of nodes ?? []) expect(await examineRedis(node.url)).toMatchObject({ state: 'ok' });
  });
});
