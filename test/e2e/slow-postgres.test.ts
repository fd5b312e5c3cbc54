/** A slow PostgreSQL: calls wait for it (F52, docs/decisions/0014). chaos/outages tests one that hangs. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';
import { openWire } from '../harness/wire.ts';

const question = { model: 'gpt-5.4', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] };
/** A longer timeout than the default, since a busy machine is slow itself. */
const patient = { timeoutMs: 20_000 };
/** Ends a test that hangs. */
const budget = { timeout: 30_000, interval: 50 };

const ask = (gateway: TestGateway) => gateway.call('/chat/completions', { json: question });
const statusOf = async (gateway: TestGateway) => (await ask(gateway)).status;
const linesOf = ({ lines }: TestGateway, message: string) => lines.filter(({ msg }) => msg === message);

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  async function open(database: Record<string, unknown>): Promise<TestGateway> {
    const gateway = await startGateway({ database });
    onTestFinished(() => gateway.close());
    expect(await statusOf(gateway)).toBe(200);
    return gateway;
  }

  async function stranger(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  test('C16: serves a call whose balance is locked for a second', async () => {
    const { url } = await place.fresh();
    const gateway = await open({ url, ...patient });
    const other = await stranger(url);
    await other.query('BEGIN; SELECT * FROM balances FOR UPDATE');
    const status = statusOf(gateway);
    const watcher = await stranger(url);
    const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await watcher.query(isWaiting)).rowCount, budget).toBe(1);
    await wait(1_000);
    await other.query('COMMIT');
    expect(await status).toBe(200);
  });

  test('C16: serves ten calls, 100 ms apart, while PostgreSQL replies a second late', async () => {
    const wire = await openWire((await place.fresh()).url);
    const gateway = await open({ url: wire.url, ...patient });
    wire.delayMs = 1_000;
    const statuses: Promise<number>[] = [];
    for (let calls = 0; calls < 10; calls++) {
      statuses.push(statusOf(gateway));
      await wait(100);
    }
    expect(await Promise.all(statuses)).toEqual(Array(10).fill(200));
    wire.delayMs = 0;
    expect(linesOf(gateway, 'ledger unavailable; charge written to the outbox')).toEqual([]);
    expect(await gateway.gateway.money?.ledger.reconcile()).toMatchObject({ differences: [] });
  });
});
