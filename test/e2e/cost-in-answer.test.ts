/** `usage: { include: true }`: the cost of a call in its response, whole and streamed, over each kind of upstream. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anthropicFrames, anthropicMessage } from '../fakes/anthropic.ts';
import { json, stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let vendor: Fake;
let claude: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  [vendor, claude] = [await openFake(), await openFake()];
  const prices = { input: '1000', output: '4000' };
  gateway = await startGateway({
    upstreams: {
      vendor: { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor' },
      claude: { kind: 'anthropic', baseUrl: claude.url, apiKey: 'sk-vendor' },
    },
    models: [
      { id: 'gpt', kind: 'text', upstream: 'vendor', prices },
      { id: 'claude', kind: 'text', upstream: 'claude', prices },
    ],
  });
});
beforeEach(() => {
  vendor.clear();
  claude.clear();
  claude.always(({ fields }) =>
    fields.stream === true ? stream(anthropicFrames({ text: 'Yes.' })) : json(anthropicMessage({ text: 'Yes.' })),
  );
});
afterAll(async () => {
  await gateway.close();
  await vendor.close();
  await claude.close();
});

const bodies = {
  '/chat/completions': { messages: [{ role: 'user', content: 'Hello' }] },
  '/responses': { input: 'Hello' },
} as const;
type Path = keyof typeof bodies;
const cases = (['/chat/completions', '/responses'] as const).flatMap((path) => ['gpt', 'claude'].map((model) => [path, model] as const));
const include = { usage: { include: true } };
const ask = (path: Path, fields: object, headers: Record<string, string> = {}): Promise<Response> =>
  gateway.call(path, { method: 'POST', json: { ...bodies[path], ...fields }, headers });

/** What the ledger charged, in dollars. */
async function chargedFor(answer: Response): Promise<number> {
  const usage = await (await gateway.call(`/usage/${answer.headers.get('x-request-id')}`)).json();
  return Number(Object(usage).charged);
}

/** The last usage of a stream, and how many events carry one. */
function usagesIn(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .flatMap((line) => {
      const event = JSON.parse(line.slice(6));
      const usage = event.usage ?? event.response?.usage;
      return usage ? [usage] : [];
    });
}

test.each(cases)("returns the cost of %s over %s when requested, and doesn't send the option upstream", async (path, model) => {
  const answer = await ask(path, { model, ...include });
  const { usage } = Object(await answer.json());
  expect(usage.cost).toBeGreaterThan(0);
  expect(usage.cost).toBe(await chargedFor(answer));
  expect(Number(answer.headers.get('x-modelgate-cost'))).toBe(usage.cost);
  expect((model === 'gpt' ? vendor : claude).last.fields).not.toHaveProperty('usage');
  const plain = Object(await (await ask(path, { model })).json());
  expect(plain.usage).not.toHaveProperty('cost');
});

test.each(cases)('returns the cost of a stream of %s over %s in its only usage, at the end', async (path, model) => {
  const answer = await ask(path, { model, ...include, stream: true });
  const usages = usagesIn(await answer.text());
  expect(usages).toHaveLength(1);
  expect(usages[0]?.cost).toBe(await chargedFor(answer));
  expect(usages[0]?.cost).toBeGreaterThan(0);
});

test.each([false, true])('returns the same bytes to a retry with the same idempotency key (stream: %s)', async (isStream) => {
  const headers = { 'idempotency-key': `cost-${isStream}` };
  const first = await (await ask('/chat/completions', { model: 'gpt', ...include, stream: isStream }, headers)).text();
  const again = await ask('/chat/completions', { model: 'gpt', ...include, stream: isStream }, headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.text()).toBe(first);
  expect(first).toContain('"cost":');
});

test("forwards bytes unchanged when the cost isn't requested", async () => {
  const answer = await ask('/responses', { model: 'gpt', store: false, usage: { include: false } });
  const sent = JSON.parse(String(vendor.sent[0]));
  expect(await answer.json()).toMatchObject({ usage: sent.usage });
  expect(JSON.stringify(sent)).not.toContain('cost');
});

test('returns the cost in a stream that the OpenAI SDK reads', async () => {
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key });
  const wish = { model: 'gpt', messages: [{ role: 'user' as const, content: 'Hello' }], stream: true as const, ...include };
  let cost: unknown;
  for await (const chunk of await client.chat.completions.create(wish)) if (chunk.usage && 'cost' in chunk.usage) ({ cost } = chunk.usage);
  expect(cost).toBeGreaterThan(0);
});
