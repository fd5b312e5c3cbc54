/** A log that nobody can write down any more, since the disk behind stderr is full (promise G9: what runs goes on). */
import { expect, test } from 'vitest';
import { setUp } from '../harness/served.ts';

test('a full disk behind the log ends neither the gateway nor its calls, and the stop is a clean one', async () => {
  const settings = { upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } }, log: { level: 'info' } };
  const served = await setUp({ settings, under: ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'] });
  await served.run();
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
  // Over several flushes of the log.
  for (let count = 0; count < 6; count++) {
    const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello.' }] });
    const answer = await fetch(`${served.origin}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(await served.stop()).toBe(0);
});
