/** The charge for an answer that is cut off by a disconnect: tokens that cannot be counted cost their upper bound (promise G4). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { sampleText } from '../../../server/money/estimator.ts';
import type { UsageBounds } from '../../../server/money/hold-range.ts';
import { toAbortedInputEvidence, toInputEvidence } from '../../../server/money/metered-reader.ts';
import { ProducedText } from '../../../server/protocols/produced-text.ts';
import { chatFrames } from '../../fakes/chat.ts';
import type { SseEvent } from '../../fakes/frames.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { openMetering, toMetered } from './metering.ts';

const metering = openMetering();
const bounds: UsageBounds = { inputTokens: 50_000, outputTokens: 9_000, images: 0, imageKind: '' };

interface Cut {
  readonly protocol: 'chat' | 'responses';
  readonly frames: readonly SseEvent[];
  readonly request?: Readonly<Record<string, unknown>>;
  readonly end?: 'client_disconnected' | 'completed' | 'failed';
}

/** The charge for the frames that arrived. */
async function charge({ protocol, frames, request, end }: Cut) {
  const charged = await metering.charge(protocol, frames, { asked: { model: 'm', stream: true, ...request }, bounds, ...(end && { end }) });
  return charged?.metered ?? expect.fail('nothing is owed');
}

const item = (type: 'added' | 'done', more: object = {}): SseEvent => {
  const event = { type: `response.output_item.${type}`, output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [], ...more } };
  return { event: event.type, data: JSON.stringify(event) };
};
const text = ['one ', 'two'];
const shown = countTokens(text.join(''));
const said = responseFrames({ text }).slice(0, -1);
const [created, ...rest] = said;
const thinking = (...items: readonly SseEvent[]) =>
  ({ protocol: 'responses', frames: [...(created ? [created] : []), ...items, ...rest] }) as const;

describe('B2: reasoning in a response that is cut off', () => {
  test("costs the output bound if it's hidden", async () => {
    expect((await charge(thinking(item('added'), item('done')))).output).toBe(9_000);
    expect((await charge(thinking(item('added')))).output).toBe(9_000);
  });

  test("costs a token per byte if it's encrypted", async () => {
    const { output } = await charge(thinking(item('added'), item('done', { encrypted_content: 'x'.repeat(700) })));
    expect(output).toBe(shown + 700);
    expect((await charge(thinking(item('added'), item('done', { encrypted_content: 'x'.repeat(9_000) })))).output).toBe(9_000);
  });

  test('costs the output bound on chat if it was requested but not shown; shown reasoning is counted', async () => {
    const frames = chatFrames({ text });
    expect((await charge({ protocol: 'chat', frames, request: { reasoning_effort: 'high' } })).output).toBe(9_000);
    expect((await charge({ protocol: 'chat', frames, request: { reasoning_effort: 'none' } })).output).toBe(shown);
    const thoughts: typeof frames = JSON.parse(
      JSON.stringify(frames).replaceAll('content\\"', 'reasoning_content\\"').replaceAll('"content"', '"reasoning_content"'),
    );
    expect((await charge({ protocol: 'chat', frames: thoughts, request: { reasoning_effort: 'high' } })).output).toBe(shown);
  });

  test('costs the output bound beside a report without output, and nothing beside one with output or at the end', async () => {
    const request = { reasoning_effort: 'high' };
    const reportOf = (completion_tokens: number) => ({ prompt_tokens: 5, completion_tokens, total_tokens: 5 + completion_tokens });
    const [first, ...others] = chatFrames({ text: [] });
    const after = (output: number) => [{ data: { ...Object(first?.data), usage: reportOf(output) } }, ...others].slice(0, -2);
    expect((await charge({ protocol: 'chat', frames: after(0), request })).output).toBe(9_000);
    expect((await charge({ protocol: 'chat', frames: after(1), request })).output).toBe(1);
    expect((await charge({ protocol: 'chat', frames: chatFrames({ text }), request, end: 'completed' })).output).toBe(shown);
    expect((await charge({ protocol: 'chat', frames: chatFrames({ text }).slice(0, -2), request, end: 'failed' })).output).toBe(shown);
  });

  test('costs nothing if there was none', async () => {
    expect((await charge({ protocol: 'responses', frames: said })).output).toBe(shown);
  });
});

const url = `data:image/png;base64,${'A'.repeat(4_000)}`;
const pdf = 'A'.repeat(20_000);
describe('B2: the input of a response that is cut off', () => {
  test.each([
    ['an image of chat', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }, 10_000],
    ['an image of responses', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] }, 10_000],
    [
      'an image of Anthropic',
      { messages: [{ content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A' } }] }] },
      10_000,
    ],
    ['an image of Gemini', { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'A' } }] }] }, 10_000],
    ['a file of responses', { input: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: pdf }] }] }, 20_000],
    ['a file of chat', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: pdf } }] }] }, 20_000],
    ['a file by its id', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }, 50_000],
  ])('charges %s at its bound, and at most the hold', async (_what, request, bound) => {
    const asked = toMetered('chat', request);
    const [whole, cut] = [toInputEvidence(asked, null), toAbortedInputEvidence(asked)];
    if (!whole || !cut) throw new Error('nothing is owed');
    const counted = (await metering.measure(whole, bounds)).metered.input;
    const most = Math.min(counted + bound, bounds.inputTokens);
    expect((await metering.measure(cut, bounds)).metered).toMatchObject({ input: most, output: 0 });
    expect((await charge({ protocol: 'responses', frames: said, request })).input).toBe(most);
  });

  test('charges the result of a hosted tool at the input bound', async () => {
    const found = {
      type: 'response.output_item.done',
      output_index: 0,
      item: { id: 'ws_1', type: 'web_search_call', status: 'completed' },
    };
    const cut = thinking({ event: found.type, data: JSON.stringify(found) });
    expect((await charge({ ...cut, request: { input: 'Look it up.', tools: [{ type: 'web_search' }] } })).input).toBe(50_000);
  });

  test('counts text', async () => {
    const input = 'Say hello to everyone.';
    expect((await charge({ protocol: 'responses', frames: said, request: { input } })).input).toBe(countTokens(input));
  });
});

describe('B2: a text', () => {
  const blanks = ' '.repeat(300_000);
  const words = 'lighthouse keeper climbs '.repeat(12_000);

  test('counts by samples of all of it if it starts with spaces', async () => {
    const produced = new ProducedText();
    for (let at = 0; at < 600_000; at += 777) produced.add((blanks + words).slice(at, at + 777));
    expect(produced.length).toBe(600_000);
    expect(produced.text.length).toBeLessThanOrEqual(64 * 1024 + 512);
    const [counted = 0, whole = 1] = await metering.count([produced.text, words.slice(0, 200_000)]);
    expect((counted * produced.scale) / ((whole * 300_000) / 200_000)).toBeGreaterThan(0.9);
  });

  test("shrinks to 256 KiB of samples, including its end, if it's long", () => {
    const text = `${blanks}middle${blanks}the end`;
    const samples = sampleText(text);
    expect(samples).toHaveLength(256 * 1024);
    expect(samples.endsWith('the end')).toBe(true);
  });

  test("stays complete if it's short", () => {
    const produced = new ProducedText();
    for (const piece of ['Grüße ', 'to ', '🌍']) produced.add(piece);
    expect([produced.text, produced.scale]).toEqual(['Grüße to 🌍', 1]);
  });
});
