/** A gateway stops under load: every admitted call is settled, and the next start has nothing to recover (G2, G9). */
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { openFake } from '../fakes/upstream.ts';
import { setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { readBooks } from './crash-books.ts';
import { type Door, Journal, kinds, model, openLoad, serve } from './crash-caller.ts';

/** Calls that are answered before it is told to stop. */
const answered = 192;

/** Slow enough that many calls are running when the gateway stops. */
function slowly({ path, fields }: FakeRequest): Script {
  const isChat = path.endsWith('completions');
  if (fields.stream !== true) return json(isChat ? chatCompletion({ model }) : response({ model }), { gapMs: 100 });
  return stream(isChat ? chatFrames({ model, includeUsage: true }) : responseFrames({ model }), { gapMs: 30 });
}

/** A caller who hangs up after the first bytes of a stream. */
async function hangUp({ origin, key, agent }: Door): Promise<void> {
  const { path, body: asked } = kinds['chat stream'];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { body } = await request(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(asked), dispatcher: agent });
  body.on('error', () => undefined).once('data', () => body.destroy());
}

test('G2, G9: a gateway that is stopped under load charges every call that it admitted, and the next start has nothing to recover', async () => {
  const fake = (await openFake()).always(slowly);
  const settings = {
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } },
    models: [{ id: model, kind: 'text', maxOutputTokens: 1_000 }],
    log: { level: 'info' },
  };
  const served = await setUp({ settings });
  await served.run();
  const { origin, key } = served;
  const load = openLoad(100);
  const journal = new Journal();
  load.door = { origin, key, agent: new Agent({ connections: 128 }), journal };
  const leaving: Door = { origin, key, agent: new Agent() };
  await serve(load, journal, { sent: answered, promised: answered });
  await Promise.all(Array.from({ length: 20 }, () => hangUp(leaving)));
  const before = load.sent;
  const stopped = served.stop();
  // New calls are rejected from now on, by the gateway or by the closed port.
  await expect.poll(() => load.sent, { interval: 5 }).toBeGreaterThanOrEqual(before + 50);
  await load.stop();
  expect(await stopped).toBe(0);

  const promised = await journal.read();
  expect(new Set(promised.map(({ id }) => id)).size).toBeGreaterThanOrEqual(answered);
  const books = readBooks(served, promised);
  expect(books).toMatchObject({ lost: [], doubled: [], wrong: [] });
  // The callers who hung up had already been sent text.
  expect(books.states).toEqual({ posted: fake.requests.length });
  const database = served.open();
  expect(database.prepare('SELECT * FROM nodes').all()).toEqual([]);
  database.close();

  await served.run();
  expect(await served.stop()).toBe(0);
  expect(served.logged('hold of a dead process expired')).toEqual([]);
  expect(served.logged('outbox replayed')).toEqual([]);
  recordAttempts(['G2', 'G9'], { what: 'calls up to a stop under load', times: answered });
  await fake.close();
});
