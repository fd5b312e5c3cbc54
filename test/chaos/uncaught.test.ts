/** Uncaught errors in the gateway: one ends no call, and many stop the process in good order. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folder.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';

/** Preloaded into the gateway process: throws an error outside of any request at each SIGUSR2. */
const trouble = `
process.on('SIGUSR2', () => {
  setTimeout(() => { throw new Error('a stray error'); });
  void Promise.reject(new Error('a stray rejection'));
});`;

async function startTroubled(): Promise<GatewayProcess> {
  const preload = join(temporaryFolder(), 'trouble.mjs');
  writeFileSync(preload, trouble);
  const served = await setUp({ settings: {}, node: ['--import', preload] });
  await served.run();
  return served;
}

const makeErrors = ({ pid }: GatewayProcess): unknown => process.kill(pid, 'SIGUSR2');

function ask({ origin, key }: GatewayProcess): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }], stream: true });
  return fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
}

const told = (served: GatewayProcess, words: string) => expect.poll(() => served.logged(words).length, { timeout: 30_000 });

test('ends neither a running nor a later call at an uncaught error', async () => {
  const served = await startTroubled();
  const running = await ask(served);
  makeErrors(served);
  await told(served, 'uncaught error').toBe(2);
  expect(await running.text()).toMatch(/data: \[DONE\]\s*$/);
  expect(await (await ask(served)).text()).toMatch(/data: \[DONE\]\s*$/);
  expect(await served.stop()).toBe(0);
});

test('exits with 1 after twenty uncaught errors', async () => {
  const served = await startTroubled();
  for (let times = 1; times <= 10; times++) {
    makeErrors(served);
    await told(served, 'uncaught error').toBe(2 * times);
  }
  await told(served, 'too many uncaught errors; stopping').toBe(1);
  expect(await served.ended()).toBe(1);
});
