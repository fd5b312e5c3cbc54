/** Status 415: bodies that are not JSON, or packed; forms anywhere but on image edits (specification part 4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const good = {
  '/chat/completions': { model: 'gpt-5.4', messages: [{ role: 'user', content: 'hi' }] },
  '/responses': { model: 'gpt-5.4', input: 'hi' },
  '/images/generations': { model: 'gpt-image-2', prompt: 'a cat', size: '16x16' },
  '/images/edits': { model: 'gpt-image-2', prompt: 'a cat', images: [] },
};
const paths = ['/chat/completions', '/responses', '/images/generations', '/images/edits'] as const;

const wrong = ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', 'application/jsonp', 'text/json', 'x'];
const right = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'application/json ; a=b',
];

describe.each(paths)('on %s', (path) => {
  const body = JSON.stringify(good[path]);
  const taken = path === '/images/edits' ? 'application/json or multipart/form-data' : 'Send the body as application/json.';

  test.each(wrong)('a caller who calls the body %s reads what to send', async (type) => {
    await expectRefusal(await gateway.call(path, { body, headers: { 'content-type': type } }), {
      code: 'unsupported_media_type',
      says: taken,
    });
  });

  test.each(right)('a caller who calls the body %s is understood', async (type) => {
    expect((await gateway.call(path, { body, headers: { 'content-type': type } })).status).not.toBe(415);
  });

  test('a caller who does not say what the body is reads what to send', async () => {
    const head = [`POST /v1${path} HTTP/1.1`, `authorization: Bearer ${gateway.key}`, 'connection: close'];
    const [answer] = await talk(gateway.origin, request(head, body));
    if (!answer) throw new Error('no answer');
    await expectRefusal(answer, { code: 'unsupported_media_type', says: 'no content-type header' });
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'gzip, identity'])(
    'F21: a caller who packs the body by %s is asked to unpack it',
    async (encoding) => {
      const answer = await gateway.call(path, { body, headers: { 'content-type': 'application/json', 'content-encoding': encoding } });
      await expectRefusal(answer, { code: 'unsupported_media_type', says: `'${encoding}'` });
    },
  );

  test('a body that is packed in nothing is taken', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await gateway.call(path, { body, headers })).status).not.toBe(415);
  });
});

test.each(paths.slice(0, 3))('a caller who sends a form to %s reads what to send', async (path) => {
  const form = new FormData();
  form.append('model', 'gpt-5.4');
  await expectRefusal(await gateway.call(path, { body: form }), { code: 'unsupported_media_type', says: 'application/json' });
});
