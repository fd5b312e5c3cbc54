/** Opens gateways of several versions on one PostgreSQL and one Redis, with one vendor. */

import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { issueKey } from '../../../server/access/issue-key.ts';
import { accessStoreDefinition } from '../../../server/access/plans.ts';
import type { KeySettings } from '../../../server/access/store.ts';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { SubscriptionRecord } from '../../../server/money/store.ts';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { response } from '../../fakes/responses.ts';
import type { Script } from '../../fakes/script.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { unhurried } from '../../harness/gateway.ts';
import type { FreshDatabase } from '../../harness/postgres.ts';
import { type GatewayProcess, gatewayProcess } from '../../programs/cluster/gateway-process.ts';
import type { Release } from './release.ts';

/** The hold of a hundred output tokens at four dollars a million. */
export const HOLD = 400n;
const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

export interface Stage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly fake: Fake;
  /** A gateway with its own data folder, not started yet. `null` is this version. */
  gateway(name: string, release: Release | null): GatewayProcess;
  issue(balance: bigint, settings?: Partial<KeySettings>): Promise<Issued>;
  /** Adds a subscription by the code of this version. */
  subscribe(accountId: string, included: bigint): Promise<SubscriptionRecord>;
  subscriptions(accountId: string): Promise<readonly SubscriptionRecord[]>;
  ask(gateway: GatewayProcess, key: string, headers?: Record<string, string>): Promise<Response>;
  /** The vendor answers no call before `until` is fulfilled. */
  holdAnswers(until: Promise<void>): void;
  charges(accountId: string): Promise<number>;
  /** The sources that the charges were paid from. */
  sources(accountId: string): Promise<readonly string[]>;
  /** Expects that the books are sound. */
  expectSound(): Promise<void>;
}

interface Issued {
  readonly key: string;
  readonly accountId: string;
}

export async function openStage({ url, postgres }: FreshDatabase, redisUrl: string): Promise<Stage> {
  const { fake, holdAnswers } = await openVendor();
  const folder = temporaryFolder();
  const file = writeSettings(folder, fake);
  const pepper = randomBytes(32);
  const env = { DATABASE_URL: url, REDIS_URL: redisUrl, MODELGATE_PEPPER: pepper.toString('hex'), MODELGATE_CONFIG: file };
  const ledger = openPostgresLedger(postgres);
  const access = { store: accessStoreDefinition.onPostgres(postgres), pepper, now: Date.now };
  return {
    folder,
    env,
    fake,
    holdAnswers,
    gateway: (name, release) => started({ name, folder, file, env: { PATH: process.env.PATH, ...env } }, release),
    async issue(balance, settings = {}) {
      const issued = await issueKey({ accountName: randomUUID(), name: 'test', ...settings }, access);
      const transfer = `opening of ${issued.accountId}`;
      await ledger.adjust({ accountId: issued.accountId, transfer, kind: 'top_up', amount: balance, note: null, at: Date.now() });
      return issued;
    },
    async subscribe(accountId, included) {
      const plan = { plan: 'pro', included, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
      const sold = { ...plan, id: randomUUID(), accountId, startsAt: 1, endsAt: null, cancelledAt: null };
      expect(await ledger.addSubscription(sold)).toEqual({ kind: 'added' });
      return sold;
    },
    subscriptions: (accountId) => ledger.listSubscriptions(accountId),
    ask: ({ origin }, key, headers = {}) => askAt(origin, key, headers),
    charges: async (accountId) => (await ledger.listCharges({ accountId, limit: 100 })).length,
    sources: async (accountId) => (await ledger.listCharges({ accountId, limit: 100 })).map(({ source }) => source),
    async expectSound() {
      const found = await ledger.reconcile();
      expect(found).toMatchObject({ differences: [], unbalanced: [], contradictions: [], overrun: 0n });
    },
  };
}

async function openVendor(): Promise<Pick<Stage, 'fake' | 'holdAnswers'>> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  let gate: Promise<void> = Promise.resolve();
  fake.always(async ({ path }): Promise<Script> => {
    await gate;
    return json(path.endsWith('/responses') ? response({ text: 'hello' }) : chatCompletion({ text: 'hello' }));
  });
  return {
    fake,
    holdAnswers(until) {
      gate = until;
    },
  };
}

function writeSettings(folder: string, fake: Fake): string {
  const file = join(folder, 'modelgate.yaml');
  const models = [{ id: 'm', kind: 'text', prices: { input: '0', output: '4' } }];
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  writeFileSync(file, stringify(unhurried({ admin: { enabled: false }, upstreams, models })));
  return file;
}

interface Place {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

function started({ name, folder, file, env }: Place, release: Release | null): GatewayProcess {
  const other = release && { launch: release.launch };
  const gateway = gatewayProcess({ name, file, data: join(folder, name), folder, env, ...other });
  onTestFinished(async () => {
    await gateway.stop('SIGKILL');
  });
  return gateway;
}

export const askAt = (origin: string, key: string, headers: Record<string, string> = {}, path = 'chat/completions'): Promise<Response> =>
  fetch(`${origin}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(path === 'responses' ? { model: 'm', max_output_tokens: 100, input: 'hi' } : body),
  });

export async function statusesOf(answers: readonly Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
