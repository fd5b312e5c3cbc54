/** Upstreams that several configurations share: opened once while their settings stay the same, and closed by the last one (F60). */
import { expect, test } from 'vitest';
import type { Config } from '../../../server/config/config.ts';
import { openHttpUpstream } from '../../../server/providers/http-upstream.ts';
import { loadOpeners, openUpstreams, type Upstreams } from '../../../server/providers/upstreams.ts';
import { configOf } from '../settings.ts';

const simulator = { kind: 'simulator', eventDelayMs: 0 };
const vendor = (apiKey: string) => ({ kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1', apiKey });
const configured = (upstreams: Record<string, unknown>): Pick<Config, 'upstreams'> =>
  configOf({ upstreams, models: [{ id: 'm', kind: 'text', upstream: Object.keys(upstreams)[0], prices: 'free' }] });

const openers = { http: openHttpUpstream };
const openAll = (config: Pick<Config, 'upstreams'>, before?: Upstreams): Upstreams => openUpstreams(config, openers, before);

test('loads no HTTP client with the simulator only', async () => {
  expect(await loadOpeners(configured({ demo: simulator, vendor: vendor('sk-1') }))).toEqual(openers);
  expect(await loadOpeners(configured({ demo: simulator }))).toEqual({ http: null });
});

test('loads the code that fetches credentials only for an upstream that needs it', async () => {
  const auth = { type: 'entra', managedIdentity: true };
  const { auth: loaded } = await loadOpeners(configured({ azure: { kind: 'openai', azure: { resource: 'contoso' }, auth } }));
  expect(Object.keys(loaded ?? {})).toEqual(['entra']);
  expect(await loadOpeners(configured({ azure: { kind: 'openai', azure: { resource: 'contoso' }, apiKey: 'k' } }))).toEqual(openers);
});

test('finds an upstream by its name, and returns no_upstream_available for an unknown one', () => {
  const upstreams = openAll(configured({ demo: simulator, vendor: vendor('sk-1') }));
  expect([upstreams.find('demo').name, upstreams.find('vendor').name]).toEqual(['demo', 'vendor']);
  for (const name of ['other', 'Demo', '__proto__'])
    expect(() => upstreams.find(name)).toThrow(
      expect.objectContaining({ code: 'no_upstream_available', headers: { 'retry-after': '30' } }),
    );
});

test('F60: shares upstreams with the same settings with the next set, and opens the others', () => {
  const before = openAll(configured({ same: vendor('sk-1'), changed: vendor('sk-1') }));
  const after = openAll(configured({ same: vendor('sk-1'), changed: vendor('sk-2'), added: simulator }), before);
  expect(after.find('same')).toBe(before.find('same'));
  expect(after.find('changed')).not.toBe(before.find('changed'));
  expect(after.find('added').name).toBe('added');
});

test('F60: closes an upstream once, by the last set that has it', async () => {
  const closed: string[] = [];
  const before = openAll(configured({ same: vendor('sk-1'), gone: vendor('sk-1') }));
  for (const name of ['same', 'gone']) {
    const upstream = before.find(name);
    upstream.close = async () => void closed.push(name);
  }
  const after = openAll(configured({ same: vendor('sk-1') }), before);
  await before.close();
  await before.close();
  expect(closed).toEqual(['gone']);
  await after.close();
  expect(closed).toEqual(['gone', 'same']);
});

test('F60: keeps upstreams open that an earlier set still has when a set closes', async () => {
  const before = openAll(configured({ same: vendor('sk-1') }));
  let isClosed = false;
  before.find('same').close = async () => {
    isClosed = true;
  };
  await openAll(configured({ same: vendor('sk-1') }), before).close();
  expect(isClosed).toBe(false);
  await before.close();
  expect(isClosed).toBe(true);
});

test('closes all upstreams of a set, even if one of them fails to close', async () => {
  const upstreams = openAll(configured({ one: vendor('sk-1'), two: vendor('sk-1') }));
  const closed: string[] = [];
  upstreams.find('one').close = () => Promise.reject(new Error('no'));
  upstreams.find('two').close = async () => void closed.push('two');
  await upstreams.close();
  expect(closed).toEqual(['two']);
});

test('keeps shared upstreams open if a set fails to open', async () => {
  const before = openAll(configured({ same: vendor('sk-1') }));
  let isClosed = false;
  before.find('same').close = async () => {
    isClosed = true;
  };
  const { upstreams } = configured({ same: vendor('sk-1'), broken: vendor('sk-1') });
  const broken = { ...upstreams, broken: { ...upstreams.broken, baseUrl: 'no address' } } as unknown as Config['upstreams'];
  expect(() => openUpstreams({ upstreams: broken }, openers, before)).toThrow('Invalid URL');
  expect(isClosed).toBe(false);
  await before.close();
  expect(isClosed).toBe(true);
});
