/** The field `store` of a chat, as upstreams get it: never true, whatever the caller sends (docs/decisions/0007). */
import { describe, expect, test } from 'vitest';
import { useOpened } from '../../harness/opened.ts';
import { openStage } from './stage.ts';

const stage = useOpened(() => {
  const upstreams = { local: { kind: 'openai-compatible' }, bare: { kind: 'openai-compatible', quirks: { hints: false } } };
  return openStage({ protocols: ['chat', 'images'] }, [], upstreams);
});

const body = (model: string, store: object) => ({ model, messages: [{ role: 'user', content: 'Hi' }], ...store });

describe.each(['a key that may store', 'a key that may not'])('B6: %s', (who) => {
  test.each([
    ['priced', {}, { store: false }, null],
    ['priced', { store: false }, { store: false }, null],
    ['priced', { store: null }, { store: false }, null],
    ['priced', { store: true }, { store: false }, 'store'],
    ['local', { store: true }, { store: false }, 'store'],
    ['bare', { store: true }, {}, 'store'],
    ['local', {}, {}, null],
  ])('sends a chat with the model %s and %j upstream with %j', async (model, said, heard, dropped) => {
    const permissions = { operations: null, models: null, mayStore: who === 'a key that may store' };
    const { key } = await stage.gateway.newKey({ permissions });
    const answer = await stage.gateway.call('/chat/completions', { json: body(model, said), key });
    expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, dropped]);
    expect('store' in stage.fake.last.fields ? { store: stage.fake.last.fields.store } : {}).toEqual(heard);
  });

  test('sends a response over a chat upstream with store: false', async () => {
    const permissions = { operations: null, models: null, mayStore: who === 'a key that may store' };
    const { key } = await stage.gateway.newKey({ permissions });
    expect((await stage.gateway.call('/responses', { json: { model: 'priced', input: 'Hi' }, key })).status).toBe(200);
    expect(stage.fake.last).toMatchObject({ path: '/v1/chat/completions', fields: { store: false } });
  });
});
