/** The OpenAPI document of the admin API and its page: complete, with samples that the gateway accepts. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Explanation } from '../../contract/admin/explanations.ts';
import { adminContract } from '../../contract/admin/index.ts';
import { Key } from '../../contract/admin/keys.ts';
import { LOCAL_ADMIN_BASE } from '../../docs/generate/admin-openapi.ts';
import { curlSample, isAdminOperation } from '../../docs/generate/openapi/admin-operation.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { blocksOf } from '../samples/samples.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
});
afterAll(() => admin.close());

/** Creates what a sample needs, and puts real ids into it. */
async function fill(sample: string): Promise<string> {
  const call = async (path: string, body: object) => String((await admin.call('POST', path, body)).body.id);
  await admin.call('PATCH', '/accounts/research', { name: `research until ${randomUUID()}` });
  if (!sample.includes('"name":"research"')) await call('/accounts', { name: 'research', group: 'vip' });
  const keyId = sample.includes('key_0a') ? await call('/keys', { account: 'research', name: 'k' }) : '';
  const subscription = sample.includes('sub_') ? await call('/accounts/research/subscriptions', { plan: 'pro' }) : '';
  const [alert] = /alert_[0-9a-f]{24}/.exec(sample) ?? [];
  const about = { kind: 'ledger_mismatch', subject: '', name: null, message: 'They differ.', value: null, threshold: null } as const;
  if (alert !== undefined) await admin.alerts.open({ id: alert, ...about, openedAt: Date.now() }, []);
  const filled = sample.replaceAll('key_0aB3dE5gH7jK9mN1p', keyId).replaceAll(/sub_\w+/g, subscription);
  // The catalog of the tests has other models.
  return filled
    .replaceAll(LOCAL_ADMIN_BASE, admin.origin)
    .replaceAll('gpt-5.4', 'play')
    .replaceAll('/openai/', '/demo/')
    .replaceAll(/mga-\w+/g, admin.key);
}

test.each(Object.keys(adminContract).filter(isAdminOperation))('accepts the sample of %s unchanged', async (name) => {
  const code = await fill(curlSample(name, LOCAL_ADMIN_BASE));
  const env = { ...process.env, MODELGATE_ADMIN_KEY: admin.key };
  const { stdout } = await promisify(execFile)('bash', ['-c', `${code} --silent`], { env });
  if (adminContract[name].path.endsWith('.csv')) return expect(stdout).toMatch(/^\w+(,\w+)+\r\n/);
  const answer = JSON.parse(stdout);
  // No sample can know the id of a request, or of an admin key.
  if (['getUsage', 'getRequest', 'revokeAdminKey', 'revokeSession'].includes(name)) expect(answer.error.code).toBe('not_found');
  // No gateway runs behind this listener.
  else if (['checkConfig', 'reloadConfig', 'editConfigText', 'testUpstream', 'checkUpstreamKeys', 'resetUpstream'].includes(name))
    expect(answer.error.code).toBe('conflict');
  else expect(answer.error).toBeUndefined();
});

test('accepts the call in the guide unchanged', async () => {
  const shown = blocksOf('docs/guides/governing.md').filter(({ language, code }) => language === 'text' && code.startsWith('curl '));
  expect(shown).toHaveLength(1);
  await admin.call('POST', '/accounts', { name: 'acme' });
  const code = `${shown[0]?.code.replaceAll(LOCAL_ADMIN_BASE, admin.origin)} --silent`;
  const { stdout } = await promisify(execFile)('bash', ['-c', code], { env: { ...process.env, MODELGATE_ADMIN_KEY: admin.key } });
  expect(JSON.parse(stdout)).toMatchObject({ object: 'adjustment', transfer_id: 'invoice-2045', balance: { balance: '25.000000' } });
});

test('serves the page, its files and the document without a key, all from the admin listener', async () => {
  const page = await fetch(`${admin.origin}/admin/docs`);
  expect(page.url).toBe(`${admin.origin}/admin/docs/`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).toContain('<title>Modelgate for operators</title>');
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => new URL(link, page.url).href);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) expect((await fetch(link)).status, link).toBe(200);
  const served = await (await fetch(`${admin.origin}/admin/openapi.json`)).json();
  expect(served).toMatchObject({ info: { title: 'Modelgate admin API' }, servers: [{ url: admin.origin }] });
  expect((await fetch(`${admin.origin}/admin/`, { redirect: 'manual' })).headers.get('location')).toBe('docs/');
});

const exampleOf = (schema: z.ZodType): unknown => [z.globalRegistry.get(schema)?.examples].flat()[0];
test('contains consistent response examples', async () => {
  expect(Key.parse(exampleOf(Key))).toMatchObject({ state: 'active', revoked_at: null, replaced_by: null });
  expect(Explanation.parse(exampleOf(Explanation))).toMatchObject({
    allowed: false,
    rule: 'key_unknown',
    key: null,
  });
});
