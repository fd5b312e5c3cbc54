/** `startGateway` for the tests of users, from the source. The lane `packages` tests the packed one. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ModelList } from '../../contract/models.ts';
import { type StartedGateway, type StartOptions, startGateway } from '../../server/operate/testing.ts';
import { freePort } from '../harness/free-port.ts';

async function start(options?: StartOptions): Promise<StartedGateway> {
  const gateway = await startGateway(options);
  onTestFinished(gateway.stop);
  return gateway;
}

const ask = ({ baseUrl, apiKey }: Pick<StartedGateway, 'baseUrl' | 'apiKey'>, path: string, body?: object): Promise<Response> =>
  fetch(`${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const chat = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] };
const modelsOf = async (gateway: StartedGateway): Promise<unknown> => {
  return ModelList.parse(await (await ask(gateway, '/models')).json()).data.map(({ id }) => id);
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'modelgate-testing-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('returns a URL and a key that work without settings, and others for a second gateway', async () => {
  const [one, other] = [await start(), await start()];
  expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(other.baseUrl).not.toBe(one.baseUrl);
  for (const gateway of [one, other]) expect((await ask(gateway, '/chat/completions', chat)).status).toBe(200);
  expect((await ask({ ...one, apiKey: other.apiKey }, '/models')).status).toBe(401);
});

test('starts no thread before the first call that stores something', async () => {
  let threads = 0;
  const count = () => void threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const gateway = await start();
  expect((await ask(gateway, '/models')).status).toBe(200);
  expect(threads).toBe(0);
  const stored = await ask(gateway, '/responses', { model: 'gpt-5.4', input: 'Hi' });
  expect(stored.status).toBe(200);
  expect(threads).toBeGreaterThan(0);
  const { id } = Object(await stored.json());
  expect((await ask(gateway, `/responses/${id}`)).status).toBe(200);
});

test('leaves no listener of the process behind', async () => {
  const countListeners = () => process.eventNames().reduce((total, name) => total + process.listenerCount(name), 0);
  await (await startGateway()).stop();
  const before = countListeners();
  for (let count = 0; count < 3; count++) await (await startGateway()).stop();
  expect(countListeners()).toBe(before);
});

test('ignores the environment variables of the process', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-real').stubEnv('MODELGATE_PEPPER', 'no pepper').stubEnv('PORT', 'x');
  onTestFinished(() => void vi.unstubAllEnvs());
  const answer = await ask(await start(), '/chat/completions', chat);
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' });
});

test('stops listening after stop, which can be called twice', async () => {
  const gateway = await startGateway();
  const held = ask(gateway, '/chat/completions', { ...chat, stream: true }).then((answer) => answer.text());
  await Promise.allSettled([gateway.stop(), gateway.stop(), held]);
  await gateway[Symbol.asyncDispose]();
  await expect(ask(gateway, '/models')).rejects.toThrow('fetch failed');
});

test('keeps a given data folder, and creates a key at each start beside the older ones', async () => {
  const data = folder();
  const one = await start({ data });
  await one.stop();
  expect(existsSync(join(data, 'pepper'))).toBe(true);
  const other = await start({ data });
  expect(other.apiKey).not.toBe(one.apiKey);
  for (const { apiKey } of [one, other]) expect((await ask({ baseUrl: other.baseUrl, apiKey }, '/models')).status).toBe(200);
});

test('accepts models, port and balance', async () => {
  const port = await freePort();
  const models = [{ id: 'mine', kind: 'text', prices: { input: '1', output: '1' } }];
  const gateway = await start({ config: { models }, port, balance: '0.000001' });
  expect(gateway.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
  expect(await modelsOf(gateway)).toEqual(['mine']);
  const rejected = await ask(gateway, '/chat/completions', { ...chat, model: 'mine' });
  expect(await rejected.json()).toMatchObject({ error: { code: 'insufficient_balance' } });
});

test('reads a configuration file with the given variables in place of the environment', async () => {
  const file = join(folder(), 'modelgate.yaml');
  writeFileSync(file, `upstreams: { simulator: { kind: simulator } }\nmodels: [{ id: "\${NAME}", kind: text, prices: free }]\n`);
  expect(await modelsOf(await start({ config: file, env: { NAME: 'from-file' } }))).toEqual(['from-file']);
  await expect(startGateway({ config: file })).rejects.toThrow('needs the environment variable NAME');
});

test("throws the gateway's error for an unknown setting and for a port in use", async () => {
  await expect(startGateway({ config: { modles: [] } })).rejects.toThrow(/^config: .*modles/);
  const { baseUrl } = await start();
  await expect(startGateway({ port: Number(new URL(baseUrl).port) })).rejects.toThrow('is in use');
});
