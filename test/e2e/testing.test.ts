/** `startGateway` as the tests of others use it: in their own process, from the source; the packed one is tried in the lane `packages`. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ModelList } from '../../contract/models.ts';
import { type StartedGateway, type StartOptions, startGateway } from '../../server/testing.ts';
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

test('a test suite without any settings gets an address and a key that work, and another one beside it', async () => {
  const [one, other] = [await start(), await start()];
  expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(other.baseUrl).not.toBe(one.baseUrl);
  for (const gateway of [one, other]) expect((await ask(gateway, '/chat/completions', chat)).status).toBe(200);
  expect((await ask({ ...one, apiKey: other.apiKey }, '/models')).status).toBe(401);
});

test('a gateway that nobody has called has no thread of its own, and the first calls find what they need', async () => {
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

test('a key of a vendor in the environment of the process is not found', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-real').stubEnv('MODELGATE_PEPPER', 'no pepper').stubEnv('PORT', 'x');
  onTestFinished(() => void vi.unstubAllEnvs());
  const answer = await ask(await start(), '/chat/completions', chat);
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' });
});

test('nothing answers after the end, its folder is gone, and it can be ended twice', async () => {
  const gateway = await startGateway();
  const held = ask(gateway, '/chat/completions', { ...chat, stream: true }).then((answer) => answer.text());
  await Promise.allSettled([gateway.stop(), gateway.stop(), held]);
  await gateway[Symbol.asyncDispose]();
  await expect(ask(gateway, '/models')).rejects.toThrow('fetch failed');
});

test('a folder that is given stays, its calls go on counting, and each start has a key of its own', async () => {
  const data = folder();
  const one = await start({ data });
  await one.stop();
  expect(existsSync(join(data, 'pepper'))).toBe(true);
  const other = await start({ data });
  expect(other.apiKey).not.toBe(one.apiKey);
  for (const { apiKey } of [one, other]) expect((await ask({ baseUrl: other.baseUrl, apiKey }, '/models')).status).toBe(200);
});

test('models, a port and a balance are the caller’s own', async () => {
  const port = await freePort();
  const models = [{ id: 'mine', kind: 'text', prices: { input: '1', output: '1' } }];
  const gateway = await start({ config: { models }, port, balance: '0.000001' });
  expect(gateway.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
  expect(await modelsOf(gateway)).toEqual(['mine']);
  const refused = await ask(gateway, '/chat/completions', { ...chat, model: 'mine' });
  expect(await refused.json()).toMatchObject({ error: { code: 'insufficient_balance' } });
});

test('a file is read as the gateway reads it, with the variables that were given in place of the environment', async () => {
  const file = join(folder(), 'modelgate.yaml');
  writeFileSync(file, `upstreams: { simulator: { kind: simulator } }\nmodels: [{ id: "\${NAME}", kind: text, prices: free }]\n`);
  expect(await modelsOf(await start({ config: file, env: { NAME: 'from-file' } }))).toEqual(['from-file']);
  await expect(startGateway({ config: file })).rejects.toThrow('needs the environment variable NAME');
});

test('a mistake in the settings is told as the gateway tells it, and a port that is taken too', async () => {
  await expect(startGateway({ config: { modles: [] } })).rejects.toThrow(/^config: .*modles/);
  const { baseUrl } = await start();
  await expect(startGateway({ port: Number(new URL(baseUrl).port) })).rejects.toThrow('is in use');
});
