/** Known failures of coding agents behind gateways that no other file tests: a string as input after a response, cache keys. */
import { describe, expect, test } from 'vitest';
import { failure } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { type Caller, callers, clearFakes, type Kind, kinds, modelOver, openPairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

const pairs = useOpened(() => openPairs(), clearFakes);

const path = { chat: '/chat/completions', responses: '/responses' } as const;
const question = { chat: { messages: [{ role: 'user', content: 'Hi' }] }, responses: { input: 'Hi' } } as const;
const ask = (caller: Caller, kind: Kind, more: Fields) =>
  pairs.gateway.call(path[caller], { json: { model: modelOver(kind), ...question[caller], ...more } });

const lists: Readonly<Record<Kind, (fields: Fields) => unknown>> = {
  chat: ({ messages }) => messages,
  responses: ({ input }) => input,
  anthropic: ({ messages }) => messages,
  gemini: ({ contents }) => contents,
  converse: ({ messages }) => messages,
};
describe('a string as input', () => {
  test.each(kinds)('F25: adds it over %s as the last item of the list when a previous response comes before it', async (kind) => {
    pairs.expectToSay(kind, { text: 'Hello.' }, { text: 'Again.' });
    // The contract says so of every answer.
    const first = (await (await ask('responses', kind, {})).json()) as { id: string };
    expect((await ask('responses', kind, { previous_response_id: first.id, input: 'More' })).status).toBe(200);
    expect(lists[kind](pairs.fakes[kind].last.fields)).toHaveLength(3);
  });
});

describe('prompt_cache_key', () => {
  test.each(callers.flatMap((caller) => callers.map((kind) => ({ caller, kind }))))(
    'F26: reaches the provider for $caller over $kind, and keeps each session on one endpoint',
    async ({ caller, kind }) => {
      pairs.expectToSay(kind, ...['a', 'b', 'c'].map((text) => ({ text })));
      for (const stream of [false, true, false]) {
        const answer = await ask(caller, kind, { stream, prompt_cache_key: 'thread_1' });
        expect(answer.status, await answer.text()).toBe(200);
      }
      const asked = pairs.fakes[kind].requests.map(({ path: at, fields }) => [at, fields.prompt_cache_key]);
      expect(asked).toEqual(Array(3).fill([`/v1${path[kind]}`, 'thread_1']));
    },
  );

  test.each([404, 405, 500, 503])('F26: tries no other endpoint after %s from an endpoint', async (status) => {
    const fake: Fake = await openFake();
    const gateway = await startGateway({
      upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', protocols: ['chat', 'responses'] } },
    });
    fake.always(failure(status));
    for (const stream of [false, true]) {
      const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', stream } });
      await expectRefusal(answer, { code: status === 503 ? 'upstream_unavailable' : 'upstream_error' });
    }
    expect(new Set(fake.requests.map((request) => request.path))).toEqual(new Set(['/v1/responses']));
    await gateway.close();
    await fake.close();
  });
});
