/** Three gateways on one PostgreSQL and one Redis keep the promises of a single one (promises G2, G3, G11, G12). */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../server/access/access.ts';
import { issueKey } from '../../server/access/issue-key.ts';
import { accessStoreDefinition } from '../../server/access/plans.ts';
import type { KeySettings } from '../../server/access/store.ts';
import { openPostgresLedger } from '../../server/money/postgres.ts';
import type { LedgerStore } from '../../server/money/store.ts';
import { openPostgres, type Postgres } from '../../server/store/postgres/postgres.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { unhurried } from '../harness/gateway.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { postgresMissing, redisMissing } from '../harness/servers.ts';
import { type Cluster, startCluster } from '../programs/cluster/cluster.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const PROCESSES = 3;
/** Input costs nothing, so that the hold is that of 100 output tokens at 4 dollars a million. */
const prices = { input: '0', output: '4' };
const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const HOLD = 400n;

const hello = async (): Promise<Script> => json(chatCompletion({ text: 'hello' }));
/** The vendor's answer, which tests replace. */
let answering = hello;

interface Stage {
  readonly folder: string;
  readonly fake: Fake;
  readonly cluster: Cluster;
  readonly origins: readonly string[];
  readonly postgres: Postgres;
  readonly access: Access;
  readonly ledger: LedgerStore;
}

async function openStage(): Promise<Stage> {
  const fake = await openFake();
  fake.always(() => answering());
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  const config = unhurried({ admin: { enabled: false }, upstreams, models: [{ id: 'm', kind: 'text', prices }] });
  // One data folder, so that they also share what an outbox is.
  const cluster = await startCluster({ gateways: PROCESSES, config, data: join(folder, 'data') });
  // Calls go to each gateway directly, not through the balancer.
  const origins = cluster.gateways.map(({ origin }) => origin);
  const postgres = openPostgres({ url: cluster.postgres.url });
  const access = { store: accessStoreDefinition.onPostgres(postgres), pepper: cluster.pepper };
  return { folder, fake, cluster, origins, postgres, access, ledger: openPostgresLedger(postgres) };
}

describe.skipIf(missing.length > 0)(`three processes${missing.map((reason) => `, LEFT OUT: ${reason}`).join('')}`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(async () => {
    await stage.postgres.close();
    await stage.cluster.stop();
    await stage.fake.close();
    rmSync(stage.folder, { recursive: true, force: true });
  });

  async function account(balance: bigint, settings: Partial<KeySettings> = {}) {
    const issued = await issueKey({ accountName: randomUUID(), name: 'test', ...settings }, { ...stage.access, now: Date.now });
    const transfer = `opening of ${issued.accountId}`;
    await stage.ledger.adjust({ accountId: issued.accountId, transfer, kind: 'top_up', amount: balance, note: null, at: Date.now() });
    return issued;
  }
  const ask = (index: number, key: string, headers: Record<string, string> = {}) =>
    fetch(`${stage.origins[index % PROCESSES]}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const statusesOf = async (answers: readonly Promise<Response>[]): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {};
    for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  test('F29, G3: admits exactly 7 of 200 concurrent calls with a balance for 7, and keeps the ledger sound', async () => {
    const { key, accountId } = await account(7n * HOLD);
    // Each process opens its connections first.
    const { key: other } = await account(1_000_000n);
    await statusesOf(Array.from({ length: 60 }, (_, index) => ask(index, other)));
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const before = stage.fake.requests.length;
    answering = async () => {
      await gate;
      return await hello();
    };
    const answers = Array.from({ length: 200 }, (_, index) => ask(index, key));
    let ended = 0;
    await new Promise<void>((resolve) => {
      for (const answer of answers) void answer.then(() => ++ended === 193 && resolve());
    });
    release();
    answering = hello;
    expect(await statusesOf(answers)).toEqual({ 200: 7, 403: 193 });
    expect(stage.fake.requests.length - before).toBe(7);
    expect(await stage.ledger.getBalance(accountId)).toMatchObject({ held: 0n });
    const found = await stage.ledger.reconcile();
    expect({ ...found, accounts: 0, entries: 0 }).toMatchObject({ differences: [], unbalanced: [], contradictions: [], overrun: 0n });
    recordAttempts('G3', { what: 'calls at once with money for fewer', times: answers.length });
  });

  test('F37, G11: shares a limit of 50 requests per minute', async () => {
    const limits = { requestsPerMinute: { limit: 50, mode: 'enforce' as const }, tokensPerMinute: null, concurrency: null };
    const { key } = await account(1_000_000n, { limits });
    const began = performance.now();
    const counts = await statusesOf(Array.from({ length: 150 }, (_, index) => ask(index, key)));
    expect(counts[200]).toBeGreaterThanOrEqual(50);
    // The limit frees some requests while they run, and each process may admit one more (G11).
    const back = Math.ceil(((performance.now() - began) * 50) / 60_000);
    expect(counts[200]).toBeLessThanOrEqual(50 + PROCESSES + back);
    recordAttempts('G11', { what: 'calls at once over a limit at three processes', times: 150 });
  });
});
