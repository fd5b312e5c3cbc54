/** What a call counts towards its token limits, exactly, on a clock that stands still (F36, F38). */
import { describe, expect, test } from 'vitest';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { images } from '../fakes/images.ts';
import type { Script } from '../fakes/script.ts';
import { holdClock } from '../harness/held-clock.ts';
import { useOpened } from '../harness/opened.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const LIMIT = 1_000_000;
const vendor = useOpened(
  () => openBehindVendor(),
  (vendor) => vendor.fake.clear(),
);

let accounts = 0;
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;

/** Makes one call with a new key; returns the tokens and the requests that are left afterwards. */
async function leftAfter(path: string, body: object, script: Script) {
  const limits = { requestsPerMinute: enforced(10), tokensPerMinute: enforced(LIMIT), concurrency: null };
  const { key } = await vendor.gateway.newKey({ account: `account ${++accounts}`, limits });
  holdClock();
  vendor.fake.next(script);
  await (await vendor.gateway.call(path, { key, json: body })).arrayBuffer();
  const { headers } = await vendor.gateway.call('/models', { key });
  const left = (quantity: string): number => Number(headers.get(`x-ratelimit-remaining-${quantity}`));
  // The list of models is a request, too.
  return { tokens: LIMIT - left('tokens'), requests: 9 - left('requests') };
}

const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 100 };
const draw = { model: 'gpt-image-2', prompt: 'A cat.', n: 2 };
/** A body is never more tokens than bytes. */
const bytesOf = (body: object): number => JSON.stringify(body).length;

describe('a call', () => {
  test('counts each token once, of whatever class it is', async () => {
    const details = { prompt_tokens_details: { cached_tokens: 20 }, completion_tokens_details: { reasoning_tokens: 5 } };
    const usage = { prompt_tokens: 60, completion_tokens: 8, total_tokens: 68, ...details };
    expect(await leftAfter('/chat/completions', ask, json(chatCompletion({ usage })))).toEqual({ tokens: 68, requests: 1 });
  });

  test('counts as a request without tokens when it fails at the provider', async () => {
    expect(await leftAfter('/chat/completions', ask, failure(500))).toEqual({ tokens: 0, requests: 1 });
  });

  test('F38: counts at most what it can use, whatever usage the provider reports', async () => {
    const usage = { prompt_tokens: 900_000_000, completion_tokens: 900_000_000, total_tokens: 1_800_000_000 };
    const { tokens } = await leftAfter('/chat/completions', ask, json(chatCompletion({ usage })));
    expect(tokens).toBeGreaterThan(ask.max_tokens);
    expect(tokens).toBeLessThanOrEqual(ask.max_tokens + bytesOf(ask) + 100);
  });

  test('counts at most 100,000 tokens for each of its images', async () => {
    const usage = { input_tokens: 900_000, output_tokens: 1, total_tokens: 900_001 };
    const { tokens } = await leftAfter('/images/generations', draw, json(images({ n: 2, usage })));
    expect(tokens).toBeGreaterThanOrEqual(200_000);
    expect(tokens).toBeLessThan(201_000);
  });
});
