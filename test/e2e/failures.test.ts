/** Known failures of gateways, by their numbers; cut streams, disconnects and framing have files of their own. */
import { describe, expect, test } from 'vitest';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { failure } from '../fakes/faults.ts';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { chat, protocols, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { openBehindVendor, vendorKey } from '../harness/vendor.ts';

const vendor = useOpened(() => openBehindVendor());
const simulated = useOpened(() => startGateway());

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  const mistakes = [
    ['context_length_exceeded', 400, 'messages', 'This model has a context of 400000 tokens.'],
    ['unsupported_value', 400, 'temperature', "'temperature' does not support 0 with this model."],
    ['unknown_parameter', 400, 'x_new', "Unknown parameter: 'x_new'."],
    ['moderation_blocked', 400, null, 'Your request was rejected by the safety system.'],
    ['invalid_value', 422, 'n', 'n is wrong'],
  ] as const;

  test.each(mistakes)(
    'F57: keeps status, code and param of the provider’s error about a caller’s mistake, without a retry: %s',
    async (code, status, param, message) => {
      const type = code === 'moderation_blocked' ? 'image_generation_user_error' : 'invalid_request_error';
      for (const request of [ask, { ...ask, ...streamed }]) {
        vendor.fake.next(failure(status, { message, type, param, code }));
        const before = vendor.fake.requests.length;
        await expectRefusal(await vendor.post(path, JSON.stringify(request)), { code, param, says: message });
        expect(vendor.fake.requests.length - before, 'never tried again').toBe(1);
      }
    },
  );

  test('F57, G13: removes the gateway’s key from the message of a provider’s error', async () => {
    vendor.fake.next(
      failure(400, { message: `Bearer ${vendorKey} may not use org-abcdef123456 with ${vendorKey}.`, code: 'invalid_value' }),
    );
    const { error } = await expectRefusal(await vendor.post(path, JSON.stringify(ask)), { code: 'invalid_value' });
    expect(error.message).not.toMatch(/vendor-secret|abcdef123456/);
  });

  test('F58: returns 404 for an unknown model, sends nothing upstream, and stays ready', async () => {
    const before = vendor.fake.requests.length;
    for (let count = 0; count < 5; count++) {
      await expectRefusal(await vendor.post(path, JSON.stringify({ ...ask, model: 'gpt-99' })), {
        code: 'model_not_found',
        param: 'model',
      });
    }
    expect(vendor.fake.requests.length).toBe(before);
    expect((await fetch(`${vendor.gateway.origin}/readyz`)).status).toBe(200);
    expect((await vendor.post(path, JSON.stringify(ask))).status).toBe(200);
  });

  test('sends the next call to a provider that has failed once', async () => {
    vendor.fake.next(failure(500));
    expect((await vendor.post(path, JSON.stringify(ask))).status).toBe(502);
    expect((await vendor.post(path, JSON.stringify(ask))).status).toBe(200);
  });
});

test('F61: returns the same body for the same failure on every route, streamed or not', async () => {
  for (const status of [401, 404, 408, 413, 429, 500, 503, 529]) {
    const bodies = new Set<string>();
    for (const { path, ask, streamed } of protocols) {
      for (const request of [ask, { ...ask, ...streamed }]) {
        vendor.fake.next(failure(status, { message: 'VENDOR' }));
        bodies.add(await (await vendor.post(path, JSON.stringify(request))).text());
      }
    }
    expect([...bodies]).toHaveLength(1);
    ErrorBody.parse(JSON.parse([...bodies][0] ?? ''));
  }
});

test('F61: returns every error of every route in the same shape', async () => {
  const paths = ['/models', '/chat/completions', '/responses', '/images/generations', '/images/edits', '/nothing'];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      for (const key of [undefined, null, 'mg-wrong']) {
        for (const body of [undefined, '', '{}', '[', 'x'.repeat(50)]) {
          if (method === 'GET' && body !== undefined) continue;
          const answer = await simulated.call(path, { method, ...(key !== undefined && { key }), ...(body !== undefined && { body }) });
          const text = await answer.text();
          if (answer.status === 200) continue;
          ErrorBody.parse(JSON.parse(text));
          expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
        }
      }
    }
  }
});

const imageOptions = [
  'size',
  'quality',
  'output_format',
  'output_compression',
  'image',
  'images',
  'mask',
  'input_fidelity',
  'partial_images',
  'style',
];

/** The place of the option that the error message names. */
function placeOf(field: string): string {
  if (field === 'style') return 'No operation of this gateway supports it';
  return ['image', 'images', 'mask', 'input_fidelity'].includes(field) ? 'POST /v1/images/edits' : 'POST /v1/images/generations';
}

test.each(imageOptions)('F44: rejects the image option %s by name on the text operations, instead of ignoring it', async (field) => {
  const before = vendor.fake.requests.length;
  for (const { path, ask } of [chat, responses]) {
    const answer = await vendor.post(path, JSON.stringify({ ...ask, [field]: 'x' }));
    await expectRefusal(answer, { code: 'unknown_parameter', param: field, says: placeOf(field) });
  }
  expect(vendor.fake.requests.length).toBe(before);
});

test('F47: rejects keys with SQL, paths or templates, and still accepts the right key', async () => {
  const tricks = [
    "' OR '1'='1",
    "mg-'; DROP TABLE keys; --",
    `${simulated.key}' --`,
    `${simulated.key}%00`,
    '../../pepper',
    '{{7*7}}',
    '%s%n',
    '😀'.repeat(9),
  ];
  for (const trick of tricks) {
    const authorization = `Bearer ${Buffer.from(trick).toString('latin1')}`;
    await expectRefusal(await simulated.call('/models', { key: null, headers: { authorization } }), { code: 'invalid_api_key' });
  }
  expect((await simulated.call('/models')).status).toBe(200);
});

test('F47, G13: logs no key, prompt, field or header of a caller, after success and after failures', async () => {
  const secrets = { user: 'PRIVATE-user', metadata: { a: 'PRIVATE-metadata' }, x_field: 'PRIVATE-field' };
  const { key } = await vendor.gateway.newKey();
  for (const { path, ask, streamed } of protocols) {
    const private_ = {
      ...ask,
      ...secrets,
      ...('prompt' in ask ? { prompt: 'PRIVATE-prompt' } : {}),
      ...('input' in ask ? { input: 'PRIVATE-input' } : {}),
    };
    const requests = [private_, { ...private_, ...streamed }, { ...private_, model: 'PRIVATE-model' }, { ...private_, n: 'PRIVATE-n' }];
    for (const request of requests) {
      for (const status of [200, 400, 500]) {
        if (status !== 200) vendor.fake.next(failure(status, { message: 'PRIVATE-words', code: 'PRIVATE' }), { path: `/v1${path}` });
        const answer = await vendor.gateway.call(`${path}?q=PRIVATE-query`, {
          json: request,
          key,
          headers: { 'x-note': 'PRIVATE-header' },
        });
        await answer.arrayBuffer();
        await vendor.gateway.lineOf(answer);
        vendor.fake.clear();
      }
    }
  }
  const broken = await vendor.post(chat.path, '{"model": PRIVATE-json', { authorization: `Bearer ${key}` });
  await vendor.gateway.lineOf(broken);
  const log = JSON.stringify(vendor.gateway.lines);
  expect(log).not.toMatch(/PRIVATE-(user|metadata|field|prompt|input|model|n\b|words|query|header|json)/);
  for (const secret of [key, vendor.gateway.key, vendorKey]) expect(log).not.toContain(secret);
});
