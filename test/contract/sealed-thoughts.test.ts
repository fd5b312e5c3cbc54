/** Encrypted reasoning is sent only to the upstream that made it, however the caller keeps the conversation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { type ResponseReply, response, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { askSecondGateway } from '../harness/second-gateway.ts';

describe('F12: encrypted reasoning of one upstream', () => {
  const fakes: Record<string, Fake> = {};
  let vendors: TestGateway;
  beforeAll(async () => {
    fakes.one = await openFake();
    fakes.two = await openFake();
    const upstream = (name: string) => ({ kind: 'openai', baseUrl: fakes[name]?.url, apiKey: 'sk-vendor', protocols: ['responses'] });
    vendors = await startGateway({
      upstreams: { one: upstream('one'), two: upstream('two') },
      models: ['one', 'two'].map((name) => ({ id: name, kind: 'text', upstream: name, upstreamModel: 'gpt-fake', prices: 'free' })),
    });
  });
  afterAll(async () => {
    await vendors.close();
    for (const vendor of Object.values(fakes)) await vendor.close();
  });

  const reply: ResponseReply = { reasoning: 'Hm.' };
  const encrypted = 'ZmFrZSByZWFzb25pbmc=';
  const turn = (model: string, more: Record<string, unknown>) => vendors.call('/responses', { json: { model, input: 'Hi', ...more } });
  const sentTo = (name: string) => fakes[name]?.last.body.toString() ?? '';

  test.each([false, true])('reaches that upstream only if the caller sends it in the input (streamed: %s)', async (isStream) => {
    fakes.one?.next(isStream ? stream(responseFrames(reply)) : json(response(reply)));
    const first = await turn('one', { store: false, stream: isStream });
    expect(await first.text()).toContain(encrypted);
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', summary: [], encrypted_content: encrypted },
      { role: 'user', content: 'And?' },
    ];
    await turn('one', { store: false, input });
    expect(sentTo('one')).toContain(encrypted);
    const other = await turn('two', { store: false, input });
    expect([other.status, other.headers.get('x-modelgate-dropped')]).toEqual([200, 'reasoning.encrypted_content']);
    expect(sentTo('two')).not.toContain(encrypted);
    expect(sentTo('two')).toContain('And?');
  });

  test('reaches that upstream only in a chain, by ID or by item reference, also after a restart', async () => {
    fakes.one?.next(json(response(reply)));
    // The shape is the contract's.
    const { id, output } = (await (await turn('one', {})).json()) as { id: string; output: { id: string; type: string }[] };
    const reasoningItem = output.find(({ type }) => type === 'reasoning');
    const references = {
      input: [
        { type: 'item_reference', id: reasoningItem?.id },
        { role: 'user', content: 'And?' },
      ],
    };
    for (const more of [{ previous_response_id: id }, references]) {
      expect((await turn('two', more)).status).toBe(200);
      expect(sentTo('two')).not.toContain(encrypted);
      expect((await askSecondGateway(vendors, { model: 'two', input: 'Hi', ...more })).statusCode).toBe(200);
      expect(sentTo('two')).not.toContain(encrypted);
      expect((await turn('one', more)).status).toBe(200);
      expect(sentTo('one')).toContain(encrypted);
    }
  });

  test('fails in a compaction item for another upstream', async () => {
    fakes.one?.next(json({ ...response(), output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-the-whole-of-it' }] }));
    await turn('one', { store: false });
    const input = [
      { type: 'compaction', encrypted_content: 'gAAAA-the-whole-of-it' },
      { role: 'user', content: 'And?' },
    ];
    expect((await turn('one', { store: false, input })).status).toBe(200);
    const rejected = await turn('two', { store: false, input });
    await expectRefusal(rejected, { code: 'invalid_value', param: 'input[0].encrypted_content', says: 'another upstream' });
  });
});
