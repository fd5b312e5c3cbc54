/** A limit that the translation raises to the minimum of the provider: the hold covers what is sent (promise G3). */
import { expect, onTestFinished, test } from 'vitest';
import { stream } from '../../fakes/delivery.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { openStage } from './stage.ts';

test('charges all output when the provider gets a higher limit than the caller set', async () => {
  const stage = await openStage({ protocols: ['responses', 'images'] }, [
    { id: 'costly', kind: 'text', prices: { input: '0', output: '100' }, upstreamModel: 'gpt-5.4' },
  ]);
  onTestFinished(() => stage.close());
  const usage = { input_tokens: 1, output_tokens: 16, total_tokens: 17 };
  stage.fake.next(stream(responseFrames({ model: 'gpt-5.4', usage })));
  const body = { model: 'costly', max_completion_tokens: 2, stream: true, messages: [{ role: 'user', content: 'Hi' }] };
  const answer = await stage.gateway.call('/chat/completions', { json: body });
  await answer.text();
  expect(stage.fake.last.fields).toMatchObject({ max_output_tokens: 16 });
  const ledger = stage.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
  expect(await endedCharge(ledger, answer.headers.get('x-request-id') ?? '')).toMatchObject({ charged: 1_600n, overrun: 0n });
});
