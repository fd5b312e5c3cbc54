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

test('with the simulator only, the HTTP client is not loaded', async () => {
  expect(await loadOpeners(configured({ demo: simulator, vendor: vendor('sk-1') }))).toEqual(openers);
  expect(await loadOpeners(configured({ demo: simulator }))).toEqual({ http: null });
});

test('what fetches credentials is loaded only for an upstream that has them', async () => {
  const auth = { type: 'entra', managedIdentity: true };
  const { auth: loaded } = await loadOpeners(configured({ azure: { kind: 'openai', azure: { resource: 'contoso' }, auth } }));
  expect(Object.keys(loaded ?? {})).toEqual(['entra']);
  expect(await loadOpeners(configured({ azure: { kind: 'openai', azure: { resource: 'contoso' }, apiKey: 'k' } }))).toEqual(openers);
});

test('an upstream is found by its name, and an unknown name is no_upstream_available', () => {
  const upstreams = openAll(configured({ demo: simulator, vendor: vendor('sk-1') }));
  expect([upstreams.find('demo').name, upstreams.find('vendor').name]).toEqual(['demo', 'vendor']);
  for (const name of ['other', 'Demo', '__proto__'])
    expect(() => upstreams.find(name)).toThrow(
      expect.objectContaining({ code: 'no_upstream_available', headers: { 'retry-after': '30' } }),
    );
});

test('F60: the next set shares upstreams with the same settings, and opens the others', () => {
  const before = openAll(configured({ same: vendor('sk-1'), changed: vendor('sk-1') }));
  const after = openAll(configured({ same: vendor('sk-1'), changed: vendor('sk-2'), added: simulator }), before);
  expect(after.find('same')).toBe(before.find('same'));
  expect(after.find('changed')).not.toBe(before.find('changed'));
  expect(after.find('added').name).toBe('added');
});

test('F60: an upstream is closed once, by the last set that has it', async () => {
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

test('F60: a set that is closed does not close the upstreams that an earlier set still has', async () => {
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

test('a set closes all of its upstreams, also when one of them fails to close', async () => {
  const upstreams = openAll(configured({ one: vendor('sk-1'), two: vendor('sk-1') }));
  const closed: string[] = [];
  upstreams.find('one').close = () => Promise.reject(new Error('no'));
  upstreams.find('two').close = async () => void closed.push('two');
  await upstreams.close();
  expect(closed).toEqual(['two']);
});

test('a set that fails to open does not close the upstreams that it shared', async () => {
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
