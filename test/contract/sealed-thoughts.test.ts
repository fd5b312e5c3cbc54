/** Thoughts that a responses vendor sealed go back to that vendor alone, however the caller keeps the conversation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { type ResponseReply, response, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { askAnew } from '../harness/anew.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

describe('F12: thoughts that one vendor sealed', () => {
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
  const seal = 'ZmFrZSByZWFzb25pbmc=';
  const turn = (model: string, more: Record<string, unknown>) => vendors.call('/responses', { json: { model, input: 'Hi', ...more } });
  const sentTo = (name: string) => fakes[name]?.last.body.toString() ?? '';

  test.each([false, true])('go back to it and to no other when a caller carries them by hand (streamed: %s)', async (isStream) => {
    fakes.one?.next(isStream ? stream(responseFrames(reply)) : json(response(reply)));
    const first = await turn('one', { store: false, stream: isStream });
    expect(await first.text()).toContain(seal);
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', summary: [], encrypted_content: seal },
      { role: 'user', content: 'And?' },
    ];
    await turn('one', { store: false, input });
    expect(sentTo('one')).toContain(seal);
    const other = await turn('two', { store: false, input });
    expect([other.status, other.headers.get('x-modelgate-ignored')]).toEqual([200, 'reasoning.encrypted_content']);
    expect(sentTo('two')).not.toContain(seal);
    expect(sentTo('two')).toContain('And?');
  });

  test('go back to it and to no other in a chain, by id or by reference, also after a restart', async () => {
    fakes.one?.next(json(response(reply)));
    // The shape is the contract's.
    const { id, output } = (await (await turn('one', {})).json()) as { id: string; output: { id: string; type: string }[] };
    const thought = output.find(({ type }) => type === 'reasoning');
    const references = {
      input: [
        { type: 'item_reference', id: thought?.id },
        { role: 'user', content: 'And?' },
      ],
    };
    for (const more of [{ previous_response_id: id }, references]) {
      expect((await turn('two', more)).status).toBe(200);
      expect(sentTo('two')).not.toContain(seal);
      expect((await askAnew(vendors, { model: 'two', input: 'Hi', ...more })).statusCode).toBe(200);
      expect(sentTo('two')).not.toContain(seal);
      expect((await turn('one', more)).status).toBe(200);
      expect(sentTo('one')).toContain(seal);
    }
  });

  test('are for their maker alone also when they hold a whole conversation', async () => {
    fakes.one?.next(json({ ...response(), output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-the-whole-of-it' }] }));
    await turn('one', { store: false });
    const input = [
      { type: 'compaction', encrypted_content: 'gAAAA-the-whole-of-it' },
      { role: 'user', content: 'And?' },
    ];
    expect((await turn('one', { store: false, input })).status).toBe(200);
    const refused = await turn('two', { store: false, input });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('another upstream');
  });
});
