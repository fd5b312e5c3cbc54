/** The metrics endpoint when reading the metrics fails. */
import { expect, onTestFinished, test } from 'vitest';
import { serveMetrics } from '../../../server/telemetry/listener.ts';
import { openLog } from '../../../server/telemetry/log.ts';

test('returns 500 and a sentence for a failed scrape, and logs its cause', async () => {
  let logged = '';
  const log = openLog({ log: { level: 'info' } }, { write: (line) => (logged += line) });
  const scrape = () => Promise.reject(new Error('the reader is broken'));
  const { origin, close } = await serveMetrics(scrape, { host: '127.0.0.1', port: 0 }, log);
  onTestFinished(close);
  const answer = await fetch(`${origin}/metrics`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).toMatch(/log/);
  expect(JSON.parse(logged)).toMatchObject({ level: 'error', err: { message: 'the reader is broken' } });
});
