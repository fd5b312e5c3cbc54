/** Status 502: any failure of a vendor is one error body without the words of the vendor. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { body, json, stream } from '../fakes/delivery.ts';
import { failure, garbage, gzipBomb, hangUp, html, raw, redirect, reset } from '../fakes/faults.ts';
import type { Script } from '../fakes/script.ts';
import { refusedUrl } from '../fakes/upstream.ts';
import { behind, startGateway } from '../harness/gateway.ts';
import { protocols } from '../harness/protocols.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor();
});
afterAll(() => vendor.close());

/** Words that no answer and no log line may have. */
const words = { message: 'VENDOR-WORDS about sk-vendor-secret', param: 'vendor_param' };
const error = { ...words, type: 'vendor_type', code: 'provider_code' };

const faults: readonly (readonly [title: string, script: Script])[] = [
  ...[401, 403, 404, 405, 409, 418, 500, 501, 502, 599].map((status) => [`answers ${status}`, failure(status, words)] as const),
  ['answers 429 since the quota of the gateway is used up', failure(429, { ...words, code: 'insufficient_quota' })],
  ['answers 500 with a page', html('<h1>VENDOR-WORDS</h1>', { status: 500 })],
  ['answers 500 with a megabyte of text', html('VENDOR-WORDS'.repeat(100_000), { status: 500 })],
  ['answers 502 with nothing', body('', 'text/plain', { status: 502 })],
  ['answers 201', json({ VENDOR: 'WORDS' }, { status: 201 })],
  ['answers 204', raw('HTTP/1.1 204 No Content\r\n\r\n')],
  ['answers with a page', html()],
  ['answers with nothing', body('', 'application/json')],
  ['answers with half of its JSON', json('{"id":"x","VENDOR-WORDS')],
  ['answers with JSON that is no object', json('["VENDOR-WORDS"]')],
  ['answers with JSON of another kind', json({ object: 'list', note: 'VENDOR-WORDS' })],
  ['answers 200 with an error inside', json({ error })],
  ['breaks off in the middle of its JSON', json({ id: 'x'.repeat(500) }, { stopAfter: { bytes: 100 }, ending: 'cut' })],
  ['sends a decompression bomb', gzipBomb(50)],
  ['hangs up', hangUp],
  ['resets the connection', reset],
  ['answers what is not HTTP', garbage],
  ['answers with headers of a megabyte', raw(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(1_000_000)}\r\n\r\n`)],
  ['streams nothing', stream([])],
  ['streams only a comment', stream([{ comment: ' VENDOR-WORDS' }])],
  ['streams a page', stream([{ raw: '<h1>VENDOR-WORDS</h1>\n\n' }, { raw: 'data: <h1>\n\n' }])],
  ['streams a list', stream([{ data: ['VENDOR-WORDS'] }])],
  ['streams an error first', stream([{ data: { error } }])],
  ['streams an error of its own name first', stream([{ event: 'error', data: { ...error, type: 'error' } }])],
  ['streams an error by its name alone', stream([{ event: 'error', data: { ...words, error } }])],
  ['streams only its end', stream([{ data: '[DONE]' }])],
];

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  test.each(faults)("returns `upstream_error` without the provider's words if it %s", async (_title, script) => {
    for (const request of [ask, { ...ask, ...streamed }]) {
      vendor.fake.next(script);
      const before = vendor.fake.requests.length;
      const answer = await vendor.post(path, JSON.stringify(request));
      const text = await answer.clone().text();
      await expectRefusal(answer, { code: 'upstream_error' });
      expect(text).not.toMatch(/VENDOR|vendor_/i);
      expect(vendor.fake.requests.length - before, 'one attempt').toBe(1);
      expect(await vendor.gateway.lineOf(answer)).toMatchObject({ status: 502, code: 'upstream_error', end: 'failed', upstream: 'vendor' });
    }
  });

  test('G14: follows no redirect of a provider', async () => {
    const before = vendor.fake.requests.length;
    for (const status of [301, 302, 303, 307, 308]) {
      vendor.fake.next(redirect(`${vendor.fake.url}/elsewhere`, status));
      await expectRefusal(await vendor.post(path, JSON.stringify(ask)), { code: 'upstream_error' });
    }
    expect(vendor.fake.requests.slice(before).map((request) => request.path)).toEqual(Array(5).fill(`/v1${path}`));
    recordAttempts('G14', { what: 'redirects of an upstream', times: 5 });
  });
});

test('G13: logs the words of a failing provider for operators, without keys', () => {
  expect(vendor.gateway.lines.length).toBeGreaterThan(100);
  expect(JSON.stringify(vendor.gateway.lines)).not.toMatch(/sk-vendor|vendor_param/);
  recordAttempts('G13', { what: 'failures of an upstream that quotes secrets', times: vendor.gateway.lines.length });
});

test('returns `upstream_error` for an unreachable provider', async () => {
  const gateway = await startGateway(behind(await refusedUrl()));
  for (const { path, ask, streamed } of protocols) {
    await expectRefusal(await gateway.call(path, { json: ask }), { code: 'upstream_error' });
    await expectRefusal(await gateway.call(path, { json: { ...ask, ...streamed } }), { code: 'upstream_error' });
  }
  await gateway.close();
});
