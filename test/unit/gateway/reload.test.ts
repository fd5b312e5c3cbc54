/** Reloads, as far as they cannot be tested from outside (promise G10, F50). */
import { EventEmitter } from 'node:events';
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { CatalogList } from '../../../contract/catalog.ts';
import { findChanges, needsRestart, reloadableKeys } from '../../../server/config/comparison.ts';
import { type LoadedConfig, loadConfig, loadConfigFile, readStampSync } from '../../../server/config/config.ts';
import { ConfigFile } from '../../../server/config/schema.ts';
import { openFileWatcher } from '../../../server/gateway/file-watcher.ts';
import type { Gateway } from '../../../server/gateway/gateway.ts';
import { openReloader } from '../../../server/gateway/reload.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { collectBody } from '../../../server/providers/collect.ts';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { openFake } from '../../fakes/upstream.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { startGateway, type TestGateway, unhurried } from '../../harness/gateway.ts';
import { holdTimers, until } from '../../harness/held-clock.ts';

const model = (id: string, output: string) => ({ id, kind: 'text', prices: { input: '1', output } });
const demo = { upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } } };

async function open(settings: Record<string, unknown>): Promise<TestGateway> {
  const gateway = await startGateway(settings);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Loads the file of the same gateway with other settings. */
function load({ gateway, folder }: TestGateway, settings: Record<string, unknown>): LoadedConfig {
  const file = join(folder, 'modelgate.yaml');
  writeFileSync(file, stringify(unhurried({ validateResponses: true, data: gateway.config.data, ...settings })));
  return loadConfigFile({ file, port: 0 }, {});
}

test('keeps the configuration, upstreams, and prices of a call from its start', async () => {
  const served = await open({ ...demo, models: [model('m', '2')] });
  const { gateway } = served;
  const entered = gateway.acquire();
  expect(gateway.acquire()).toBe(entered);
  await gateway.adopt(load(served, { ...demo, models: [model('m', '9'), model('n', '9')] }).config);
  expect(entered.catalog.list()).toHaveLength(1);
  expect(entered.money?.prices.find('standard', 'm')?.version).toBe(1);
  expect(gateway.acquire().catalog.list()).toHaveLength(2);
  expect(gateway.acquire().money?.prices.find('standard', 'm')?.version).toBe(2);
  // An upstream with the same settings keeps its connections.
  expect(gateway.upstreams.find('demo')).toBe(entered.upstreams.find('demo'));
});

test('F60: keeps a replaced upstream open for calls in flight, and closes it after the last of them', async () => {
  const [old, other] = await Promise.all([openFake(), openFake()]);
  const models = [model('m', '1')];
  const served = await open({ upstreams: { vendor: { kind: 'openai', baseUrl: old.url } }, models });
  onTestFinished(async () => void (await Promise.all([old.close(), other.close()])));
  const { gateway } = served;
  const [first, second] = [gateway.acquire(), gateway.acquire()];
  await gateway.adopt(load(served, { upstreams: { vendor: { kind: 'openai', baseUrl: other.url } }, models }).config);
  const send = async ({ upstreams }: Gateway): Promise<number> => {
    const body = createJsonBody({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    const { signal } = new AbortController();
    const request = {
      operation: 'createChatCompletion',
      model: 'm',
      body,
      stream: false,
      session: null,
      requestId: 'req_1',
      signal,
      gone: new EventEmitter(),
    } as const;
    const answer = await upstreams.find('vendor').send(request);
    await collectBody(answer.body, 1_000_000);
    return answer.status;
  };
  expect(await send(first)).toBe(200);
  first.release();
  expect(await send(second)).toBe(200);
  expect(old.requests).toHaveLength(2);
  expect(old.connections.open).toBeGreaterThan(0);
  second.release();
  await expect.poll(() => old.connections.open).toBe(0);
  await expect(send(second)).rejects.toThrow();
  expect(await send(gateway)).toBe(200);
  expect(other.requests).toHaveLength(1);
});

test('shows a new configuration and new prices in the catalog immediately', async () => {
  const served = await open({ ...demo, models: [model('m', '2')] });
  const shown = async () => {
    const { data } = CatalogList.parse(await (await fetch(`${served.origin}/catalog`)).json());
    return data.map(({ id, prices }) => [id, prices !== null && prices !== 'free' && 'output' in prices && prices.output]);
  };
  expect(await shown()).toEqual([['m', '2.000000']]);
  await served.gateway.adopt(load(served, { ...demo, models: [model('m', '9'), model('n', '3')] }).config);
  expect(await shown()).toEqual([
    ['m', '9.000000'],
    ['n', '3.000000'],
  ]);
  const prices = JSON.stringify({ input: '1', output: '4' });
  await served.gateway.money?.ledger.addPrice({ priceList: 'standard', model: 'n', source: 'admin', prices, createdAt: Date.now() });
  await served.gateway.money?.prices.refresh();
  expect((await shown())[1]).toEqual(['n', '4.000000']);
});

test('calls an upstream that a reload changes immediately; an unchanged one stays unavailable', async () => {
  const [broken, mended, spare] = await Promise.all([openFake(), openFake(), openFake()]);
  onTestFinished(async () => void (await Promise.all([broken.close(), mended.close(), spare.close()])));
  broken.always(failure(500));
  mended.always(json(chatCompletion({ text: 'well again' })));
  spare.always(json(chatCompletion({ text: 'in its place' })));
  const at = (url: string) => ({ kind: 'openai', baseUrl: url, apiKey: 'sk-vendor', onClientDisconnect: 'drain' });
  // An upstream rests only if there is another one.
  const models = ['main', 'other'].map((upstream) => ({
    ...model(`by-${upstream}`, '1'),
    candidates: [{ upstream }, { upstream: 'spare', priority: 2 }],
  }));
  const settings = (main: string, output: string) => ({
    upstreams: { main: at(main), other: at(broken.url), spare: at(spare.url) },
    models: [...models, { ...model('more', output), upstream: 'other' }],
    routing: { breaker: { failures: 1, cooldownMs: 60_000 }, maxAttempts: 1 },
  });
  const served = await open(settings(broken.url, '1'));
  const askBoth = async () => {
    for (const upstream of ['main', 'other'])
      await served.call('/chat/completions', { json: { model: `by-${upstream}`, messages: [{ role: 'user', content: 'hi' }] } });
    return [broken, mended, spare].map(({ requests }) => requests.length);
  };
  expect(await askBoth()).toEqual([2, 0, 0]);
  expect(await askBoth()).toEqual([2, 0, 2]);
  await served.gateway.adopt(load(served, settings(broken.url, '2')).config);
  expect(await askBoth()).toEqual([2, 0, 4]);
  await served.gateway.adopt(load(served, settings(mended.url, '2')).config);
  expect(await askBoth()).toEqual([2, 1, 5]);
});

test("G10: changes nothing on a reload if its audit entry can't be stored", async () => {
  const served = await open({ ...demo, models: [model('m', '2')] });
  const { gateway } = served;
  const next = () => load(served, { ...demo, models: [model('m', '9')] });
  const reloader = openReloader({ gateway, load: next, sections: [], log: gateway.log });
  const outcome = await reloader.reload('admin', async () => Promise.reject(new Error('the store is down')));
  expect(outcome).toMatchObject({ kind: 'rejected', reason: 'store' });
  expect(gateway.money?.prices.find('standard', 'm')?.version).toBe(1);
});

test('runs concurrent reloads one after the other, and applies the last one', async () => {
  const served = await open({ ...demo, models: [model('m', '1')] });
  const { gateway } = served;
  let turn = 1;
  const next = () => load(served, { ...demo, models: [model('m', String(++turn))] });
  const reloader = openReloader({ gateway, load: next, sections: [], log: gateway.log });
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => reloader.reload('signal')));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'reloaded'));
  expect(gateway.money?.prices.find('standard', 'm')?.prices).toMatchObject({ output: 6_000_000n });
});

test('classifies every key of the configuration as reloadable or as needing a restart', () => {
  const atRestart = ['data', 'database', 'redis', 'durability', 'validateResponses', 'billing', 'admin', 'pages', 'metrics', 'traces'];
  const keys = Object.keys(ConfigFile.shape).filter((key) => key !== 'server');
  expect(keys.filter((key) => !reloadableKeys.includes(key) && !atRestart.includes(key))).toEqual([]);
  expect(atRestart.filter((key) => reloadableKeys.includes(key))).toEqual([]);
});

test('lists changes by name, and models by ID, and marks those that need a restart', () => {
  const folder = temporaryFolder();
  const read = (settings: object) => {
    writeFileSync(join(folder, 'c.yaml'), stringify(settings));
    return loadConfig({ file: join(folder, 'c.yaml') }, {});
  };
  const before = read({
    billing: 'off',
    models: [
      { id: 'a', kind: 'text' },
      { id: 'b', kind: 'text' },
    ],
    server: { port: 1 },
  });
  const after = read({ billing: 'off', models: [{ id: 'b', kind: 'text', contextWindow: 5000 }], server: { port: 2, drainMs: 5 } });
  const changes = findChanges(before, after).map((change) => `${change.kind} ${change.name}${needsRestart(change) ? ' !' : ''}`);
  expect(changes).toEqual(['changed server.port !', 'changed server.drainMs', 'removed models.a', 'added models.b.contextWindow']);
  expect(findChanges(before, before)).toEqual([]);
});

/** Milliseconds between two checks of the file. */
const CHECK_MS = 1_000;

/** Checks the file as often as told, each time to the end. */
async function holdChecks(): Promise<(times: number) => Promise<void>> {
  await holdTimers();
  return async (times) => {
    for (let left = times; left > 0; left--) {
      vi.advanceTimersByTime(CHECK_MS);
      await hasChecked();
    }
  };
}

/** The next check is planned when one is over. */
const hasChecked = (): Promise<void> => until(() => vi.getTimerCount() === 1);

test('reports a watched file once it is complete: written in pieces, replaced, or gone for a moment', async () => {
  const file = join(temporaryFolder(), 'c.yaml');
  writeFileSync(file, 'a: 1\n');
  const check = await holdChecks();
  let changes = 0;
  const watch = openFileWatcher({ file, since: null }, () => changes++);
  onTestFinished(() => watch.close());
  await hasChecked();
  await check(3);
  for (let piece = 0; piece < 20; piece++) {
    appendFileSync(file, 'b');
    await check(1);
  }
  expect(changes).toBe(0);
  await check(1);
  expect(changes).toBe(1);
  writeFileSync(`${file}.new`, 'a: 2\n');
  renameSync(`${file}.new`, file);
  await check(1);
  expect(changes).toBe(1);
  await check(1);
  expect(changes).toBe(2);
  rmSync(file);
  await check(3);
  expect(changes).toBe(2);
  writeFileSync(file, 'a: 3\n');
  await check(2);
  expect(changes).toBe(3);
  await check(3);
  expect(changes).toBe(3);
});

test('reports a file that changed between reading and watching, and no unchanged one', async () => {
  const file = join(temporaryFolder(), 'c.yaml');
  writeFileSync(file, 'a: 1\n');
  const since = readStampSync(file);
  const check = await holdChecks();
  let [before, after] = [0, 0];
  const still = openFileWatcher({ file, since }, () => before++);
  await hasChecked();
  await check(3);
  still.close();
  writeFileSync(file, 'a: 12\n');
  const watch = openFileWatcher({ file, since }, () => after++);
  onTestFinished(() => watch.close());
  await hasChecked();
  await check(1);
  expect([before, after]).toEqual([0, 1]);
});
