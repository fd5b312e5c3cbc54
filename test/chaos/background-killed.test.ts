/** Responses in the background whose process is killed at every event: each ends as failed, with what was produced, and is charged at most once (G1, G4, G15). */
import { expect, onTestFinished, test } from 'vitest';
import { unpackFrames } from '../../server/history/run-store.ts';
import { stream } from '../fakes/delivery.ts';
import { responseFrames } from '../fakes/responses.ts';
import { openFake } from '../fakes/upstream.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openSharedServerDatabases } from '../harness/shared-server-databases.ts';
import { readBooks } from './crash-books.ts';
import { isLeftOut, model, named, openStage } from './outages/stage.ts';

interface Stored {
  readonly id: string;
  readonly status: string;
  readonly output: readonly { readonly content?: readonly { readonly text: string }[] }[];
}
type Event = Readonly<Record<string, unknown>> & { readonly type: string; readonly sequence_number: number };

const words = ['The ', 'sky ', 'is ', 'blue.'];
const frames = responseFrames({ model, text: words });
/** The provider sends so many events, and then nothing. */
const script = (count: number) => stream([...frames.slice(0, count), { until: new Promise(() => undefined) }]);
const cuts = Array.from(frames, (_, index) => index).slice(1);
/** A process without a heartbeat for this long is dead; then another one looks within seconds. */
const HEARTBEAT_MS = 15_000;

interface Door {
  readonly origin: string;
  readonly key: string;
}

const call = ({ origin, key }: Door, path: string, init: RequestInit = {}) =>
  fetch(`${origin}/v1/responses${path}`, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });
const read = async (door: Door, id: string): Promise<Stored> => (await (await call(door, `/${id}`)).json()) as Stored;
const getText = ({ output }: Stored): string => output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');
const eventsIn = (text: string): Event[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as Event] : []));

async function begin(door: Door, count: number): Promise<string> {
  const body = JSON.stringify({ model, input: String(count), background: true });
  return ((await (await call(door, '', { method: 'POST', body })).json()) as Stored).id;
}

/** Resolves when the response has so many events. The gateway adds one, and writes them within moments. */
async function waitForEvents(door: Door, id: string, count: number): Promise<void> {
  const answer = await call(door, `/${id}?stream=true`);
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (eventsIn(text).length > count) return;
  }
}

async function expectEnded(door: Door, id: string, count: number): Promise<void> {
  const stored = await read(door, id);
  expect(stored).toMatchObject({ id, status: 'failed', error: { code: 'server_error' } });
  const events = eventsIn(await (await call(door, `/${id}?stream=true`)).text());
  expect(events.map(({ sequence_number: sequence }) => sequence)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { id, status: 'failed' } });
  // What was read before the kill is there: the events of the provider, and the one that the gateway adds.
  expect(events.length).toBeGreaterThanOrEqual(count + 1);
  expect('The sky is blue.'.startsWith(getText(stored))).toBe(true);
  const deltas = events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? [delta] : []));
  expect(getText(stored)).toBe(deltas.join(''));
}

/** The events on disk. */
function countWritten(served: GatewayProcess): number {
  const database = served.open();
  const rows = database.prepare('SELECT frames FROM response_events').all();
  database.close();
  return rows.reduce((sum, { frames: text }) => sum + eventsIn(unpackFrames(text as Uint8Array).toString()).length, 0);
}

test('ends as failed after a restart on SQLite, with the output so far', async () => {
  const fake = (await openFake()).always(({ fields }) => script(Number(fields.input)));
  onTestFinished(() => fake.close());
  const upstreams = { provider: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-provider' } };
  const served = await setUp({ settings: { upstreams, models: [{ id: model, kind: 'text', maxOutputTokens: 1_000 }] } });
  await served.run();
  const ids = await Promise.all(cuts.map((count) => begin(served, count)));
  await Promise.all(ids.map((id, index) => waitForEvents(served, id, cuts[index] ?? 0)));
  await expect.poll(() => countWritten(served)).toBeGreaterThanOrEqual(cuts.reduce((sum, count) => sum + count + 1, 0));
  await served.kill();
  await served.run();
  const from = performance.now();
  await expect
    .poll(async () => (await Promise.all(ids.map((id) => read(served, id)))).map(({ status }) => status), { timeout: 60_000 })
    .not.toContain('in_progress');
  expect(performance.now() - from).toBeLessThan(HEARTBEAT_MS);
  for (const [index, id] of ids.entries()) await expectEnded(served, id, cuts[index] ?? 0);
  await expect.poll(() => readBooks(served).states.held ?? 0).toBe(0);
  expect(readBooks(served)).toMatchObject({ doubled: [], wrong: [], states: { expired: ids.length } });
  await served.stop();
  recordAttempts(['G15'], { what: 'responses in the background whose process was killed', times: ids.length });
});

test.skipIf(isLeftOut)(
  named('ends as failed in another process on PostgreSQL, within the time of a heartbeat'),
  { timeout: 180_000 },
  async () => {
    const stage = await openStage(2, {}, openSharedServerDatabases);
    onTestFinished(() => stage.close());
    stage.fake.always(({ fields }) => script(Number(fields.input)));
    const { key } = await stage.open(1_000_000_000n);
    const [first, second] = stage.origins.map((origin) => ({ origin, key }));
    if (!first || !second) expect.fail('no gateways');
    const ids = await Promise.all(cuts.map((count) => begin(first, count)));
    // Through the other process, which reads what the first one has written.
    await Promise.all(ids.map((id, index) => waitForEvents(second, id, cuts[index] ?? 0)));
    const [canceled = '', ...rest] = ids;
    expect(await (await call(second, `/${canceled}/cancel`, { method: 'POST' })).json()).toMatchObject({
      id: canceled,
      status: 'cancelled',
    });
    const live = rest.map((id) => call(second, `/${id}?stream=true`).then((answer) => answer.text()));
    await stage.cluster.gateways[0]?.stop('SIGKILL');
    const from = performance.now();
    await Promise.all(live);
    expect(performance.now() - from).toBeLessThan(HEARTBEAT_MS + 10_000);
    for (const [index, id] of rest.entries()) await expectEnded(second, id, cuts[index + 1] ?? 0);
    await expect.poll(() => stage.sql("SELECT 1 FROM charges WHERE state = 'held'"), { timeout: 60_000 }).toEqual([]);
    expect(await stage.ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
    recordAttempts(['G15'], { what: 'responses in the background whose process was killed', times: rest.length });
  },
);
