/** A gateway behind a balancer that checks readiness now and then: after SIGTERM it is not ready, and serves until the balancer has noticed (G9). */
import { expect, onTestFinished, test } from 'vitest';
import { openFake } from '../../fakes/upstream.ts';
import { behind } from '../../harness/gateway.ts';
import { setUp } from '../../harness/gateway-process.ts';
import { chat } from '../../harness/protocols.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';

test('F56, G9: reports not ready when stopping, serves until the readiness delay is over, and exits with 0', async () => {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const models = [{ id: 'gpt-5.4', kind: 'text', maxOutputTokens: 1_000 }];
  // Much longer than the few calls of this test take, also on a busy machine.
  const server = { readinessDelayMs: 8_000, drainMs: 600_000 };
  const served = await setUp({ settings: { ...behind(fake.url), models, server, log: { level: 'info' } } });
  await served.run();
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
  const ready = async (): Promise<number> => (await fetch(`${served.origin}/readyz`)).status;
  const call = (): Promise<Response> =>
    fetch(`${served.origin}/v1${chat.path}`, { method: 'POST', headers, body: JSON.stringify(chat.ask) });
  expect(await ready()).toBe(200);

  const ended = served.stop();
  await expect.poll(() => served.logged('stopping').length, { interval: 20 }).toBe(1);
  expect(await ready()).toBe(503);
  expect((await call()).status).toBe(200);
  await expect(fetch(`${served.origin}/readyz`).then((answer) => answer.json())).resolves.toMatchObject({
    error: { message: 'The gateway is shutting down.' },
  });

  expect(await ended).toBe(0);
  await expect(call()).rejects.toThrow('fetch failed');
  recordAttempts('G9', { what: 'stops that a balancer sees late', times: 1 });
});
