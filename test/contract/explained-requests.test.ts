/** The explanation of a request by its id, for rejected, failed and paid ones, over the admin API and on the command line (C2). */

import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { rejectedCall } from '../harness/call-record.ts';
import { modelgate } from '../harness/command-line.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { talk } from '../harness/raw.ts';
import { openSecondConnection } from '../harness/second-connection.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;
beforeAll(async () => {
  const models = [{ id: 'play', kind: 'text', prices: { input: '1', output: '4' } }];
  vendor = await openBehindVendor({ settings: { models } });
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = vendor.gateway.gateway;
  const operations = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    now: Date.now,
  };
  admin = await openAdminApp(operations, { identify: async () => ({ actor: 'test', session: null, role: 'admin' }), checkAnswers: true });
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
});

const ask = { model: 'play', messages: [{ role: 'user', content: 'a secret prompt' }] };
const chat = (body: unknown, key?: string | null) =>
  vendor.gateway.call('/chat/completions', { json: body, ...(key !== undefined && { key }) });
const idOf = (answer: Response): string => answer.headers.get('x-request-id') ?? expect.fail('no id');

async function explained(id: string) {
  const { statusCode, payload } = await admin.inject({ method: 'GET', url: `/admin/v1/requests/${encodeURIComponent(id)}` });
  return { status: statusCode, ...JSON.parse(payload) };
}
/** A caller may read its answer a moment before the gateway has recorded it. */
const soon = (id: string) => expect.poll(() => explained(id));

test('C2: explains a rejected request with the key, the account and the error that the caller read', async () => {
  const { key, id: keyId, accountId } = await vendor.gateway.newKey({ account: 'poor', balance: 3n });
  const answer = await chat({ ...ask, max_tokens: 5_000 }, key);
  const read = ErrorBody.parse(await answer.json()).error;
  expect(answer.status).toBe(403);
  await soon(idOf(answer)).toMatchObject({
    status: 200,
    object: 'explained_request',
    request_id: idOf(answer),
    usage: null,
    error: {
      status: 403,
      code: read.code,
      param: read.param,
      message: read.message,
      operation: 'createChatCompletion',
      model: 'play',
      account_id: accountId,
      key_id: keyId,
      attempts: [],
      created_at: expect.stringMatching(/^20\d\d-/),
    },
  });
});

test('C2: explains a request rejected by body, model, key, path or the HTTP parser', async () => {
  const [field, model] = [await chat({ ...ask, temperature: 'hot' }), await chat({ ...ask, model: 'none' })];
  await soon(idOf(field)).toMatchObject({ error: { status: 400, code: 'invalid_type', param: 'temperature', model: 'play' } });
  await soon(idOf(model)).toMatchObject({ error: { status: 404, code: 'model_not_found', param: 'model', model: 'none' } });
  const nobody = await chat(ask, 'mg-wrong');
  const unknown = { account_id: null, key_id: null, operation: 'createChatCompletion', model: null };
  await soon(idOf(nobody)).toMatchObject({ error: { status: 401, code: 'invalid_api_key', ...unknown } });
  const nowhere = await vendor.gateway.call('/nowhere');
  await soon(idOf(nowhere)).toMatchObject({ error: { status: 404, code: 'unknown_url', operation: null } });
  const [broken] = await talk(vendor.gateway.origin, 'GET / HTTP/1.1\r\nno colon\r\n\r\n');
  await soon(broken?.headers['x-request-id'] ?? '').toMatchObject({ error: { status: 400, code: 'malformed_request', operation: null } });
});

test('C2: explains a request that failed upstream with its attempts and its voided hold', async () => {
  vendor.fake.next(failure(500));
  const answer = await chat(ask);
  expect(answer.status).toBe(502);
  await soon(idOf(answer)).toMatchObject({
    error: { status: 502, code: 'upstream_error', attempts: [{ upstream: 'vendor', status: 500, code: 'upstream_error' }] },
    usage: { state: 'voided', charged: '0.000000' },
  });
});

test('C2: explains a stream that failed after its start with the error of its last event', async () => {
  const frames = chatFrames({ text: ['one', 'two', 'three'] });
  vendor.fake.next(stream(frames.slice(0, 3), { ending: 'cut' }));
  const answer = await chat({ ...ask, stream: true });
  const transcript = await answer.text();
  expect(answer.status).toBe(200);
  const id = idOf(answer);
  await soon(id).toMatchObject({ error: { status: 200, code: expect.any(String), model: 'play' } });
  expect(transcript).toContain((await explained(id)).error.message);
});

test('C2: records a request without a known key with its path, without the query, and its address if enabled', async () => {
  const { gateway } = vendor.gateway;
  const { config } = gateway;
  const nobody = () => vendor.gateway.call('/usage?key=mg-secretsecret', { key: 'mg-wrong' });
  const hidden = await nobody();
  await soon(idOf(hidden)).toMatchObject({ path: 'GET /v1/usage', address: null, error: { status: 401 } });
  await gateway.adopt({ ...config, unknownCallers: { ...config.unknownCallers, addresses: true } });
  onTestFinished(() => gateway.adopt(config));
  const shown = await nobody();
  await soon(idOf(shown)).toMatchObject({ path: 'GET /v1/usage', address: expect.stringContaining('127.0.0.1') });
  const known = await chat({ ...ask, model: 'none' });
  await soon(idOf(known)).toMatchObject({ path: null, address: null, error: { status: 404 } });
});

test('C2: explains a paid request with its charge, and returns 404 with activity.days for an unknown one', async () => {
  vendor.fake.next(json(chatCompletion()));
  const answer = await chat(ask);
  await answer.text();
  await endedCharge(vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off'), idOf(answer));
  expect(await explained(idOf(answer))).toMatchObject({
    error: null,
    usage: { request_id: idOf(answer), state: 'posted', model: 'play' },
  });
  const unknown = await explained('req_none');
  expect(unknown).toMatchObject({ status: 404, error: { code: 'not_found', param: 'request_id' } });
  expect(unknown.error.message).toContain('activity.days');
});

test.each([true, false])('records the remaining limits that the caller saw, stream: %s', async (isStream) => {
  const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
  const limits = { requestsPerMinute: enforced(100), tokensPerMinute: enforced(100_000), concurrency: null };
  const { key } = await vendor.gateway.newKey({ limits });
  vendor.fake.next(isStream ? stream(chatFrames()) : json(chatCompletion()));
  const answer = await chat({ ...ask, max_tokens: 5_000, stream: isStream }, key);
  await answer.text();
  const told = (quantity: string): number => Number(answer.headers.get(`x-ratelimit-remaining-${quantity}`));
  await soon(idOf(answer)).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({ rule: 'requests', remaining: told('requests') }),
      expect.objectContaining({ rule: 'tokens', remaining: told('tokens') }),
    ]),
  });
});

test('C2: stores a rejection without prompt and key, and `modelgate explain` reads it beside the gateway', async () => {
  const { gateway, folder } = vendor.gateway;
  const answer = await chat({ ...ask, model: 'sk-abcdefgh12345678', user: 'a secret user' });
  const id = idOf(answer);
  await soon(id).toMatchObject({ error: { model: 'sk-***' } });
  // A flush may be running that began before this refusal.
  for (let turn = 0; turn < 2; turn++) await gateway.activity.flush();
  const beside = openSecondConnection(gateway.config);
  try {
    const rows = await beside.rows('SELECT * FROM requests');
    expect(rows.some(({ request_id: one }) => one === id)).toBe(true);
    const written = rows.map((row) => Object.values(row).join(' ')).join('\n');
    expect(written).not.toMatch(/a secret|abcdefgh|mg-/);
  } finally {
    await beside.close();
  }
  const { code, stdout, stderr } = await modelgate(['explain', '--request', id, '--config', join(folder, 'modelgate.yaml')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    new RegExp(`^Request: +${id}\\nTime: +20.*\\nStatus: +404 model_not_found\\nMessage: +Model 'sk-\\*\\*\\*' not found`),
  );
});

test('C2: keeps at most 200 rows of a flood of rejections, counts all, and explains other requests', async () => {
  const { gateway } = vendor.gateway;
  const flood = { ended_at: Date.now(), account_id: null, key_id: null, model: null, status: 401, code: 'invalid_api_key' };
  vendor.fake.next(json(chatCompletion()));
  const [paid, rejected] = await Promise.all([chat(ask), chat({ ...ask, model: 'none' })]);
  for (let at = 0; at < 20_000; at++) gateway.activity.addCall(rejectedCall(`req_flood_${at}`, flood));
  await soon(idOf(rejected)).toMatchObject({ error: { code: 'model_not_found' } });
  expect(paid.status).toBe(200);
  for (let turn = 0; turn < 5; turn++) await gateway.activity.flush();
  const beside = openSecondConnection(gateway.config);
  try {
    const sums = 'count(*) AS count, CAST(sum(1 + repeats) AS BIGINT) AS calls';
    const [found] = await beside.rows(`SELECT ${sums} FROM requests WHERE request_id LIKE 'req_flood_%'`);
    expect(found?.count).toBeLessThanOrEqual(200n);
    expect(found?.calls).toBe(20_000n);
    expect(await explained('req_flood_0')).toMatchObject({ status: 200 });
  } finally {
    await beside.close();
  }
});
