/** Which fields of a body reach a vendor: those of the API, and those that the operator allows. */
import { describe, expect, test } from 'vitest';
import { drawPng } from '../../fakes/images.ts';
import { useOpened } from '../../harness/opened.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openStage } from './stage.ts';

/** With each of these some vendor takes another model, address or price, or uses tools of its own. */
const obeyed = {
  models: ['dear-model'],
  provider: { order: ['dear'] },
  plugins: [{ id: 'web' }],
  api_base: 'https://elsewhere.example',
  fallbacks: ['dear-model'],
  route: 'fallback',
  search_parameters: { mode: 'on' },
  extra_body: { models: ['dear-model'] },
  MAX_TOKENS: 100_000,
  ſtore: true,
};

const stage = useOpened(
  () => {
    const upstreams = {
      local: { kind: 'openai-compatible' },
      open: { kind: 'openai', fields: { allow: ['provider', 'top_k'], deny: ['logit_bias'] } },
      all: { kind: 'openai', fields: { allow: ['*'], deny: ['plugins'] } },
      claude: { kind: 'anthropic' },
    };
    return openStage({}, [], upstreams);
  },
  (stage) => stage.fake.clear(),
);

const messages = [{ role: 'user', content: 'Hi' }];
const names = Object.keys(obeyed);
const told = names.map((name) => name.replace(/[^\w]/g, '?')).join(', ');
const asked = {
  '/chat/completions': { messages },
  '/responses': { input: 'Hi' },
  '/images/generations': { prompt: 'A cat' },
};

describe.each(Object.entries(asked))('B4: %s', (path, words) => {
  const model = path.startsWith('/images') ? 'painter' : 'priced';

  test('omits unknown fields that choose what is billed, and names them, together and each alone', async () => {
    const answer = await stage.gateway.call(path, { json: { model, ...words, ...obeyed } });
    expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, told]);
    for (const name of names) expect(stage.fake.last.fields).not.toHaveProperty([name]);
    for (const [name, value] of Object.entries(obeyed)) {
      const alone = await stage.gateway.call(path, { json: { model, ...words, [name]: value } });
      expect([alone.status, alone.headers.get('x-modelgate-dropped')]).toEqual([200, name.replace(/[^\w]/g, '?')]);
      expect(stage.fake.last.fields).not.toHaveProperty([name]);
      expect(stage.fake.last.fields).toMatchObject(words);
    }
  });

  test('omits one with an escape in its name, and 20,000 of them', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `"route_${index}":1,`).join('');
    const [start, end] = [`{"model":"${model}",`, `${JSON.stringify(words).slice(1)}`];
    expect((await stage.post(path, `${start}"\\u006dodels":["dear-model"],${end}`)).status).toBe(200);
    expect(stage.fake.last.body.toString()).not.toContain('dear-model');
    const answer = await stage.post(path, `${start}${many}${end}`);
    expect([answer.status, answer.headers.get('x-modelgate-dropped')?.endsWith('and-19968-more')]).toEqual([200, true]);
    expect(stage.fake.last.body.length).toBeLessThan(300);
  });
});

test('B4: omits an unknown field in the form of an image edit, and names it in the header', async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: 'painter', prompt: 'A hat', provider: 'dear', n: '1' })) form.set(name, value);
  form.set('image', new Blob([new Uint8Array(drawPng())], { type: 'image/png' }), 'cat.png');
  const answer = await stage.gateway.call('/images/edits', { method: 'POST', body: form });
  expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, 'provider']);
  expect(stage.fake.last.body.toString('latin1')).not.toContain('provider');
});

test('forwards other unknown fields unchanged to OpenAI, and to no other provider', async () => {
  const newer = { access_programs: ['a'], zz_new: { deep: [1.0] } };
  for (const [path, words] of Object.entries(asked).slice(0, 2)) {
    const answer = await stage.gateway.call(path, { json: { model: 'priced', ...words, ...newer } });
    expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, null]);
    expect(stage.fake.last.fields).toMatchObject(newer);
  }
  const answer = await stage.gateway.call('/chat/completions', { json: { model: 'local', messages, ...newer } });
  expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, 'access_programs, zz_new']);
  expect(stage.fake.last.fields).not.toHaveProperty('zz_new');
});

describe('B4: the setting fields of an upstream', () => {
  const chat = (model: string, more: object) => stage.gateway.call('/chat/completions', { json: { model, messages, ...more } });

  test('allows fields by their names', async () => {
    expect((await chat('open', { provider: { order: [] }, top_k: 5, route: 'fallback' })).headers.get('x-modelgate-dropped')).toBe('route');
    expect(stage.fake.last.fields).toMatchObject({ provider: { order: [] }, top_k: 5 });
  });

  test('allows all fields with *, and rejects those that it denies', async () => {
    expect((await chat('all', { route: 'fallback' })).headers.get('x-modelgate-dropped')).toBeNull();
    expect(stage.fake.last.fields).toMatchObject({ route: 'fallback' });
    stage.fake.clear();
    await expectRefusal(await chat('all', { plugins: [] }), { code: 'unsupported_parameter', param: 'plugins' });
    await expectRefusal(await chat('open', { logit_bias: { 1: 1 } }), { code: 'unsupported_parameter', param: 'logit_bias' });
    expect(stage.fake.requests).toEqual([]);
  });

  test('allows top_k and min_p of an openai-compatible upstream by default, and not models', async () => {
    expect((await chat('local', { top_k: 5, min_p: 0.1, models: ['dear-model'] })).headers.get('x-modelgate-dropped')).toBe('models');
    expect(stage.fake.last.fields).toMatchObject({ top_k: 5, min_p: 0.1 });
  });
});
