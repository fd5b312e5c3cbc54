/** A whole gateway with its console, after calls of many outcomes: paid, streamed, failed over, failed, and rejected by several rules. */
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { issueAdminKey } from '../../server/access/issue-key.ts';
import { openAdminListener } from '../../server/api/admin/listener.ts';
import { createRunningGateway } from '../../server/operate/commands/running-gateway.ts';
import { openLog } from '../../server/telemetry/log.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { waitsOf } from '../harness/vendor.ts';

export interface SeededConsole {
  readonly gateway: TestGateway;
  /** Of the admin listener. */
  readonly origin: string;
  readonly adminKey: string;
  /** The vendors behind the upstreams `main` and `backup`. */
  readonly vendors: Readonly<Record<'main' | 'backup', Fake>>;
  /** Request ids of the calls. */
  readonly ids: Readonly<Record<'paid' | 'moved' | 'failed' | 'rejected' | 'poor', string>>;
  /** The answer of the admin API, as the console reads it. */
  read(path: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const models = [
  {
    id: 'play',
    kind: 'text',
    prices: { input: '1.25', cachedInput: '0.125', output: '10' },
    candidates: [
      { upstream: 'main', cost: { input: '1', output: '8' } },
      { upstream: 'backup', priority: 2 },
    ],
  },
  { id: 'small', kind: 'text', prices: { input: '0.25', output: '2' }, candidates: [{ upstream: 'backup' }] },
];
const ask = { model: 'play', messages: [{ role: 'user', content: 'a secret prompt' }] };

interface SeededOptions {
  /** Without calls there are only the accounts and keys of every test gateway. */
  readonly hasCalls?: boolean;
  /** As in modelgate.yaml, beside what the calls need. */
  readonly settings?: Record<string, unknown>;
}

export async function openSeededConsole({ hasCalls = true, settings = {} }: SeededOptions = {}): Promise<SeededConsole> {
  const [main, backup] = [await openFake(), await openFake()];
  const place = (url: string) => ({ kind: 'openai', baseUrl: url, apiKey: 'sk-vendor-key-0123', ...waitsOf({}) });
  const gateway = await startGateway({
    upstreams: { main: place(main.url), backup: place(backup.url) },
    groups: { vip: { multiplier: '0.8' } },
    models,
    routing: { maxAttempts: 2, breaker: { failures: 100 } },
    ...settings,
  });
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = gateway.gateway;
  const ledger = money?.ledger ?? null;
  const running = createRunningGateway(gateway.gateway);
  const operations = {
    access,
    ledger,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    gateway: running,
    now: Date.now,
  };
  const admin = await openAdminListener(operations, { log: openLog({ log: { level: 'silent' } }), checkAnswers: true });
  await admin.listen({ host: '127.0.0.1', port: 0 });
  // A listening TCP server has an address with a port.
  const origin = `http://127.0.0.1:${(admin.server.address() as AddressInfo).port}`;
  const { key: adminKey } = await issueAdminKey('tester', { ...access, now: Date.now });
  const ids = hasCalls ? await makeCalls() : { paid: '', moved: '', failed: '', rejected: '', poor: '' };

  async function makeCalls(): Promise<SeededConsole['ids']> {
    const research = await gateway.newKey({ account: 'research', group: 'vip', name: 'ci', balance: 25_000_000n });
    const poor = await gateway.newKey({ account: 'trial', name: 'trial', balance: 3n });
    const call = async (body: object, key = research.key): Promise<string> => {
      const answer = await gateway.call('/chat/completions', { json: body, key });
      await answer.text();
      return answer.headers.get('x-request-id') ?? expect.fail('no id');
    };
    const paid = await call({ ...ask, prompt_cache_key: 'thread' });
    for (const _ of [1, 2, 3]) await call({ ...ask, model: 'small' });
    main.next(stream(chatFrames({ includeUsage: true })));
    await call({ ...ask, stream: true });
    main.next(failure(500));
    const moved = await call({ ...ask, seed: 7 });
    main.next(failure(500));
    backup.next(failure(500));
    const failed = await call(ask);
    const rejected = await call({ ...ask, temperature: 'hot' });
    await call({ ...ask, model: 'none' });
    const short = await call({ ...ask, max_tokens: 5_000 }, poor.key);
    const made = { paid, moved, failed, rejected, poor: short };
    for (const id of Object.values(made)) await vi.waitFor(async () => expect(await activity.find(id)).toBeDefined(), hangLimitMs);
    // A flush may be running that began before the last call ended.
    for (let turn = 0; turn < 2; turn++) await activity.flush();
    return made;
  }

  return {
    gateway,
    origin,
    adminKey,
    vendors: { main, backup },
    ids,
    async read(path) {
      const answer = await fetch(`${origin}/admin/v1${path}`, { headers: { authorization: `Bearer ${adminKey}` } });
      // The app checks its answers against the contract.
      return (await answer.json()) as Readonly<Record<string, unknown>>;
    },
    async close() {
      admin.server.closeAllConnections();
      await admin.close();
      await gateway.close();
      await Promise.all([main.close(), backup.close()]);
    },
  };
}

/** Signs in where the sign-in is shown, and waits for the page with this heading. */
export async function signInTo(page: Page, { adminKey }: Pick<SeededConsole, 'adminKey'>, heading: string): Promise<void> {
  await page.getByLabel(signInTexts.operator.label).fill(adminKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}
