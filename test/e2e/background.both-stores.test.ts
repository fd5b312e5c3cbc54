/** Responses that run in the background: read while they run, streamed again from any event, canceled, failed, and charged once. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { responseFrames } from '../fakes/responses.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Stored extends Fields {
  readonly id: string;
  readonly status: string;
  readonly output: readonly { readonly content?: readonly { readonly text: string }[]; readonly status?: string }[];
}

let provider: BehindVendor;
let client: OpenAI;
beforeAll(async () => {
  provider = await openBehindVendor();
  client = new OpenAI({ baseURL: provider.gateway.baseURL, apiKey: provider.gateway.key, maxRetries: 0 });
});
beforeEach(() => provider.fake.clear());
afterAll(() => provider.close());

const words = ['The ', 'sky ', 'is ', 'blue.'];
const frames = () => responseFrames({ model: 'gpt-5.4', text: words, echo: { store: false } });
const ask = { model: 'gpt-5.4', input: 'Why?', background: true };

const charge = (answer: Response) =>
  endedCharge(provider.gateway.gateway.money?.ledger ?? expect.fail('billing is off'), answer.headers.get('x-request-id') ?? '');
const create = (more: Fields = {}, headers: Record<string, string> = {}) =>
  provider.gateway.call('/responses', { json: { ...ask, ...more }, headers });
const read = async (id: string): Promise<Stored> => (await (await provider.gateway.call(`/responses/${id}`)).json()) as Stored;
const readStream = (id: string, query = '') => provider.gateway.call(`/responses/${id}?stream=true${query}`);
const cancel = (id: string) => provider.gateway.call(`/responses/${id}/cancel`, { method: 'POST' });
const started = async (more: Fields = {}): Promise<Stored> => (await (await create(more)).json()) as Stored;
const readStatus = async (id: string): Promise<string> => (await read(id)).status;
const ended = (id: string) => expect.poll(() => readStatus(id)).not.toBe('in_progress');
const eventsIn = (text: string): Fields[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as Fields] : []));
/** The ID in the first event. */
const idIn = ([first]: readonly Fields[]): string => (first?.response as Stored | undefined)?.id ?? '';
const getText = ({ output }: Stored): string => output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');

/** The provider sends some events, and the rest when the gate opens. */
function pausedAfter(count: number) {
  const gate = Promise.withResolvers<void>();
  const [first, rest] = [frames().slice(0, count), frames().slice(count)];
  provider.fake.next(stream([...first, { until: gate.promise }, ...rest]));
  return gate;
}

describe('a response in the background', () => {
  test('returns as queued at once, runs without its caller, and costs one charge', async () => {
    const gate = pausedAfter(4);
    const answer = await create();
    expect(answer.status).toBe(200);
    const queued = (await answer.json()) as Stored;
    expect(queued).toMatchObject({ status: 'queued', background: true, store: true, output: [], usage: null, completed_at: null });
    expect(await read(queued.id)).toMatchObject({ status: 'in_progress', background: true });
    gate.resolve();
    await ended(queued.id);
    const stored = await read(queued.id);
    expect(stored).toMatchObject({ id: queued.id, status: 'completed', background: true, usage: { total_tokens: 18 } });
    expect(getText(stored)).toBe('The sky is blue.');
    expect(provider.fake.requests.at(-1)?.fields).toMatchObject({ stream: true, store: false });
    expect(provider.fake.requests.at(-1)?.fields).not.toHaveProperty('background');
    expect(await charge(answer)).toMatchObject({ state: 'posted', metered: { output: 7 } });
  });

  test("continues when it's complete, and not before", async () => {
    const gate = pausedAfter(4);
    const { id } = await started();
    const early = await provider.gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'And?', previous_response_id: id } });
    await expectRefusal(early, { code: 'previous_response_not_found', param: 'previous_response_id' });
    const removal = await provider.gateway.call(`/responses/${id}`, { method: 'DELETE' });
    await expectRefusal(removal, { code: 'invalid_value', param: 'response_id' });
    gate.resolve();
    await ended(id);
    provider.fake.next(stream(frames()));
    const { id: next } = await started({ previous_response_id: id });
    await ended(next);
    expect(await read(next)).toMatchObject({ status: 'completed', previous_response_id: id });
    expect(JSON.stringify(provider.fake.requests.at(-1)?.fields.input)).toContain('The sky is blue.');
  });

  test('returns 400 when it is not stored', async () => {
    await expectRefusal(await create({ store: false }), { code: 'unsupported_value', param: 'background' });
  });

  test('returns the error of the call before it is queued', async () => {
    await expectRefusal(await create({ model: 'none' }), { code: 'model_not_found', param: 'model' });
    await expectRefusal(await create({ background_options: { completion_window: '2h' } }), {
      code: 'invalid_value',
      param: 'background_options.completion_window',
    });
  });

  test('ends as failed when the provider fails, and costs nothing', async () => {
    for (let attempt = 0; attempt < 2; attempt++) provider.fake.next(failure(500));
    const answer = await create();
    const { id } = (await answer.json()) as Stored;
    await ended(id);
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' }, output: [] });
    expect(await charge(answer)).toMatchObject({ state: 'voided' });
    const events = eventsIn(await (await readStream(id)).text());
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.queued', 'response.failed']);
  });

  test('keeps and charges the output so far when the provider dies midway', async () => {
    provider.fake.next(stream(frames(), { stopAfter: { frames: 6 }, ending: 'cut' }));
    const answer = await create();
    const { id } = (await answer.json()) as Stored;
    await ended(id);
    const stored = await read(id);
    expect(stored).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
    expect(getText(stored)).toBe('The sky ');
    expect(await charge(answer)).toMatchObject({ state: 'posted' });
  });

  test('gets the same answer for a retry with its idempotency key', async () => {
    provider.fake.next(stream(frames()));
    const headers = { 'idempotency-key': 'background-1' };
    const first = (await (await create({}, headers)).json()) as Stored;
    await ended(first.id);
    expect(await (await create({}, headers)).json()).toEqual(first);
    expect(provider.fake.requests).toHaveLength(1);
  });
});

describe('cancelling', () => {
  test('cancels a response in flight with its output so far, and keeps it', async () => {
    pausedAfter(6);
    const answer = await create();
    const { id } = (await answer.json()) as Stored;
    const reading = readStream(id).then((open) => open.text());
    await expect.poll(() => provider.gateway.gateway.streams.size).toBe(1);
    const canceled = await cancel(id);
    expect(canceled.status).toBe(200);
    const response = (await canceled.json()) as Stored;
    expect(response).toMatchObject({ id, status: 'cancelled', error: null });
    expect(await (await cancel(id)).json()).toEqual(response);
    expect(await read(id)).toEqual(response);
    expect(eventsIn(await reading).at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'cancelled' } });
    expect(await charge(answer)).toMatchObject({ state: 'posted', outcome: 'client_disconnected' });
  });

  test('returns a complete response as it is', async () => {
    provider.fake.next(stream(frames()));
    const { id } = await started();
    await ended(id);
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'completed' });
  });

  test('returns 400 for a response in the foreground, and 404 for an unknown one', async () => {
    provider.fake.next(stream(frames()));
    const { id } = await client.responses.create({ model: 'gpt-5.4', input: 'Why?' });
    await expectRefusal(await cancel(id), { code: 'invalid_value', param: 'response_id' });
    await expectRefusal(await cancel('resp_none'), { code: 'response_not_found' });
  });
});

describe('streaming again', () => {
  test('sends the same bytes as the first stream, whichever event it is cut at', async () => {
    provider.fake.next(stream(frames()));
    const whole = await (await create({ stream: true })).text();
    const events = eventsIn(whole);
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['response.created', 'response.queued', 'response.in_progress']);
    expect(events.map(({ sequence_number: sequence }) => sequence)).toEqual(events.map((_, index) => index));
    const id = idIn(events);
    expect(await (await readStream(id)).text()).toBe(whole);
    const parts = whole.split(/(?<=\n\n)/);
    for (const [index] of events.entries()) {
      const rest = await (await readStream(id, `&starting_after=${index}`)).text();
      expect(parts.slice(0, index + 1).join('') + rest).toBe(whole);
    }
    expect(await (await readStream(id, '&starting_after=1000')).text()).toBe('data: [DONE]\n\n');
  });

  test('goes on live after the caller has lost the connection', async () => {
    const gate = pausedAfter(5);
    const first = await create({ stream: true });
    const reader = first.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const id = idIn(eventsIn(Buffer.from(value ?? []).toString()));
    await reader?.cancel();
    const again = readStream(id, '&starting_after=2').then((open) => open.text());
    gate.resolve();
    const events = eventsIn(await again);
    expect(events[0]).toMatchObject({ sequence_number: 3 });
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  });

  test('works for a stored response in the foreground, with the SDK', async () => {
    provider.fake.next(stream(frames()));
    const answer = await provider.gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Why?', stream: true } });
    const whole = await answer.text();
    const id = idIn(eventsIn(whole));
    expect(await (await readStream(id)).text()).toBe(whole);
    const events = await client.responses.retrieve(id, { stream: true, starting_after: 3 });
    const numbers: number[] = [];
    for await (const event of events) numbers.push(event.sequence_number);
    expect(numbers[0]).toBe(4);
    const final = await client.responses.stream({ response_id: id, starting_after: 3 }).finalResponse();
    expect(final.output_text).toBe('The sky is blue.');
  });

  test('returns 400 when the response has no events, or the number is none', async () => {
    provider.fake.next(stream(frames()));
    const { id } = await client.responses.create({ model: 'gpt-5.4', input: 'Why?' });
    await expectRefusal(await readStream(id), { code: 'invalid_value', param: 'stream' });
    await expectRefusal(await readStream(id, '&starting_after=-1'), {
      code: 'integer_below_min_value',
      param: 'starting_after',
    });
    await expectRefusal(await readStream('resp_none'), { code: 'response_not_found' });
  });
});
