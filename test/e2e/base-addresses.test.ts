/** The address of an upstream: `baseUrl` with and without its version, and the log line where the upstream answers 404. */
import { expect, onTestFinished, test } from 'vitest';
import { anthropicMessage } from '../fakes/anthropic.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { geminiAnswer } from '../fakes/gemini.ts';
import { openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const secret = 'sk-vendor-secret';

async function openStage(kind: string, end: string) {
  const fake = await openFake();
  const { origin } = new URL(fake.url);
  const gateway = await startGateway({
    upstreams: { vendor: { kind, baseUrl: `${origin}${end}`, apiKey: secret } },
    models: [{ id: 'm', kind: 'text', upstream: 'vendor', upstreamModel: 'large' }],
  });
  onTestFinished(async () => {
    await gateway.close();
    await fake.close();
  });
  const ask = () => gateway.call('/chat/completions', { json: { model: 'm', messages: [{ role: 'user', content: 'Hello.' }] } });
  return { gateway, fake, origin, ask };
}

const message = json(anthropicMessage());
const answer = json(geminiAnswer());

test.each([
  ['anthropic', '', '/v1/messages', message],
  ['anthropic', '/', '/v1/messages', message],
  ['anthropic', '/v1', '/v1/messages', message],
  ['anthropic', '/proxy', '/proxy/v1/messages', message],
  ['anthropic', '/v1/proxy', '/v1/proxy/messages', message],
  ['gemini', '', '/v1beta/models/large:generateContent', answer],
  ['gemini', '/v1beta', '/v1beta/models/large:generateContent', answer],
  ['gemini', '/v1/publishers/google', '/v1/publishers/google/models/large:generateContent', answer],
] as const)('C10: sends requests for %s with “%s” at the end of baseUrl to %s', async (kind, end, path, script) => {
  const { fake, ask } = await openStage(kind, end);
  fake.next(script);
  const answered = await ask();
  expect([answered.status, fake.last.path]).toEqual([200, path]);
});

test.each([
  ['openai-compatible', '', '/chat/completions', " Most providers' base URLs end in /v1."],
  ['openai', '/v1', '/v1/chat/completions', ''],
  ['anthropic', '/v1', '/v1/messages', ''],
])('C10: logs a hint for %s with “%s” at the end of baseUrl after a 404 from %s, without the API key', async (kind, end, path, hint) => {
  const { gateway, fake, origin, ask } = await openStage(kind, end);
  fake.next(failure(404));
  await expectRefusal(await ask(), { code: 'upstream_error' });
  const line = await gateway.lineWhere(({ request }) => request !== undefined);
  expect(line).toMatchObject({
    level: 'warn',
    upstream: 'vendor',
    status: 404,
    request: `POST ${origin}${path}`,
    hint: `Check baseUrl of upstream vendor.${hint} If it's correct, the provider has no model 'large': check upstreamModel.`,
  });
  expect(JSON.stringify(gateway.lines)).not.toContain(secret);
});
