/** The worked example of docs/guides/money.md: the call is made, and each figure of the page is compared. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { openFake } from '../../fakes/upstream.ts';
import { startGateway } from '../../harness/gateway.ts';

const guide = readFileSync(new URL('../../../docs/guides/money.md', import.meta.url), 'utf8');
const [body = '', receipt = ''] = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, code = '']) => code.trim());
const Account = z.object({ balance: z.record(z.string(), z.string()) });
const usage = { prompt_tokens: 140, completion_tokens: 300, total_tokens: 440, prompt_tokens_details: { cached_tokens: 40 } };

test('matches the guide: hold, charge, receipt and balances of its call', async () => {
  const vendor = await openFake();
  onTestFinished(() => vendor.close());
  const gateway = await startGateway({
    upstreams: { vendor: { kind: 'openai', baseUrl: vendor.url, apiKey: 'k' } },
    models: [{ id: 'gpt-5.4', kind: 'text', upstream: 'vendor', prices: { input: '2.5', cachedInput: '0.25', output: '15' } }],
  });
  onTestFinished(() => gateway.close());
  const balance = async () => Account.parse(await (await gateway.call('/account')).json()).balance;
  let held: unknown;
  vendor.next(async () => {
    held = await balance();
    return json(chatCompletion({ usage }));
  });
  expect(await balance()).toEqual({ balance: '1000.000000', held: '0.000000', available: '1000.000000' });

  const answer = await gateway.call('/chat/completions', { body, headers: { 'content-type': 'application/json' }, method: 'POST' });
  expect(answer.status).toBe(200);
  expect(held).toEqual({ balance: '1000.000000', held: '0.007998', available: '999.992002' });
  expect(answer.headers.get('x-modelgate-cost')).toBe('0.004760');
  expect(await (await gateway.call(`/usage/${answer.headers.get('x-request-id')}`)).json()).toMatchObject(JSON.parse(receipt));
  expect(await balance()).toEqual({ balance: '999.995240', held: '0.000000', available: '999.995240' });
  for (const figure of ['0.007998', '999.992002', '0.004760', '999.995240', '0.003238', `here ${vendor.last.body.length} (`])
    expect(guide).toContain(figure);
});
