/** The real Codex CLI with a vendor that is overloaded in the middle of an answer: it waits and asks again. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { anthropicErrorFrame, anthropicFrames } from '../fakes/anthropic.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { geminiError, geminiFrames } from '../fakes/gemini.ts';
import { openFake } from '../fakes/upstream.ts';
import { runCodex } from '../harness/codex.ts';
import { startGateway } from '../harness/gateway.ts';
import { codexMissing, leftOut } from '../harness/tools.ts';

const said = { text: ['Half of ', 'it.'] };
const whole = { text: 'All of it.' };
const busy = { message: 'Overloaded', type: 'server_error', code: 'server_is_overloaded', param: null };

const vendors = [
  {
    kind: 'anthropic',
    protocols: ['anthropic'],
    word: 'overloaded_error',
    half: [...anthropicFrames(said).slice(0, 5), anthropicErrorFrame('overloaded_error')],
    all: anthropicFrames(whole),
  },
  {
    kind: 'gemini',
    protocols: ['gemini'],
    word: 'UNAVAILABLE',
    half: [...geminiFrames(said).slice(0, 1), { data: geminiError(503, 'UNAVAILABLE', 'The model is overloaded.') }],
    all: geminiFrames(whole),
  },
  {
    kind: 'openai',
    protocols: ['chat'],
    word: 'server_is_overloaded',
    half: [...chatFrames(said).slice(0, 2), { data: { error: busy } }],
    all: chatFrames({ ...whole, includeUsage: true }),
  },
];

describe.skipIf(codexMissing !== null)(`Codex${leftOut(codexMissing)}`, () => {
  test.each(vendors)(
    'C8: over $kind waits, asks again and finishes when $word comes in the middle of an answer',
    async ({ kind, protocols, half, all }) => {
      const fake = await openFake();
      const gateway = await startGateway({ upstreams: { vendor: { kind, protocols, baseUrl: fake.url, apiKey: 'sk-vendor' } } });
      fake.next(stream(half)).always(stream(all));
      const done = await runCodex({ gateway, model: 'gpt-5.5', prompt: 'Say it.' });
      onTestFinished(async () => {
        await done.forget();
        await gateway.close();
        await fake.close();
      });
      expect(done.items).toContainEqual({ type: 'agent_message', text: whole.text });
      expect(done.exitCode).toBe(0);
      expect(JSON.stringify(done.events)).not.toContain('at capacity');
      expect(fake.requests).toHaveLength(2);
      const [first, second] = fake.requests;
      // Codex has its own clock, which the test cannot hold. A busy machine only makes the request later, never sooner.
      expect(Number(second?.arrivedAt) - Number(first?.arrivedAt)).toBeGreaterThan(1_900);
    },
  );
});
