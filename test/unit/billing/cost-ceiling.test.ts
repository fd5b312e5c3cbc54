/** The most that a request can use is told before it is sent: no tokenizer finds more in it, in whatever language (promise G3). */
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { boundsOf, roughTokens, type Sent } from '../../../server/billing/cost-ceiling.ts';
import { type Model, openCatalog } from '../../../server/config/catalog.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { type JsonBody, jsonBody } from '../../../server/dialects/wire/json-body.ts';

const [first] = openCatalog(loadConfig({}, {})).list();
if (!first) throw new Error('the standard catalog is empty');
const gpt: Model = first;
const sized = (sizes: Partial<Model>): Model => ({ ...gpt, ...sizes });

type Fields = Readonly<Record<string, unknown>>;
const sent = (value: Fields, body: JsonBody = jsonBody(value)): Sent => ({ asked: value, body, isImage: false });
const chat = (content: unknown, more: Fields = {}): Fields => ({ model: 'gpt-5.4', messages: [{ role: 'user', content }], ...more });

/** Texts that tokenizers take apart in very different ways; each some thousand characters. */
const texts = {
  English: 'The lighthouse keeper climbed the stairs, as on every evening, and wondered whether anyone out there saw the light. '.repeat(
    40,
  ),
  German: 'Der Leuchtturmwärter stieg, wie an jedem Abend, die Treppe hinauf: fünfhundertsiebenundzwanzig Stufen. '.repeat(40),
  code: 'export const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0); // O(n)\n\tif (!x) { return; }\n'.repeat(40),
  Chinese: '灯塔看守人每天晚上都要爬上楼梯，想知道外面是否有人看见灯光。'.repeat(80),
  'rare Chinese': '龘靐齉爩鱻麤龗灪吁龖厵滟爨癵驫麣纞虋讟钃鸜麷'.repeat(80),
  Thai: 'ผู้ดูแลประภาคารปีนบันไดทุกเย็นและสงสัยว่ามีใครเห็นแสงหรือไม่'.repeat(60),
  emoji: '👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🧑🏽‍🚀🫠🪿☕️'.repeat(80),
  base64: Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) % 256)).toString('base64'),
  digits: '3141592653589793238462643383279502884197'.repeat(60),
  blanks: ' \t \n\n  '.repeat(500),
  'control characters': '\u0000\u0001\u001b[31m\u007f\u0085'.repeat(300),
  'half characters': '\ud83d\ude00\ufffd\u200b\u202e'.repeat(300),
  'marks of a tokenizer': '<|endoftext|><|im_start|>system<|im_sep|>'.repeat(100),
};
const counters = { o200k: countO200k, cl100k: countCl100k };
const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** As vendors count a conversation: its texts, and a few tokens around each message. */
const tokensIn = (count: typeof countO200k, messages: readonly string[]): number =>
  messages.reduce((sum, text) => sum + count(text, plain) + 4, 3);

describe.each(Object.entries(texts))('of a text in %s', (_name, text) => {
  test.each(Object.entries(counters))('no more tokens are counted by %s than are held for', (_encoding, count) => {
    const one = boundsOf(sent(chat(text)), gpt).inputTokens;
    expect(tokensIn(count, [text])).toBeLessThanOrEqual(one);
    const parts = Array.from({ length: 64 }, (_, index) => text.slice(index * 7, index * 7 + 7));
    const messages = parts.map((content) => ({ role: 'user', content }));
    expect(tokensIn(count, parts)).toBeLessThanOrEqual(boundsOf(sent({ model: 'gpt-5.4', messages }), gpt).inputTokens);
  });
});

test('a text that comes in as escapes is no longer in tokens than in bytes', () => {
  const bytes = Buffer.from(
    JSON.stringify(chat(texts.emoji)).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  const body: JsonBody = { kind: 'json', value: JSON.parse(bytes.toString()), bytes };
  expect(body.value).toEqual(chat(texts.emoji));
  expect(countO200k(texts.emoji, plain)).toBeLessThanOrEqual(boundsOf(sent(chat(texts.emoji), body), gpt).inputTokens);
});

test('tools, instructions and earlier turns are held for as well', () => {
  const tools = Array.from({ length: 20 }, (_, index) => ({
    type: 'function',
    name: `look_${index}`,
    parameters: { type: 'object', properties: { where: { type: 'string', description: texts.English.slice(0, 200) } } },
  }));
  const input = Array.from({ length: 10 }, () => ({ role: 'user', content: texts.Thai.slice(0, 100) }));
  const value = { model: 'gpt-5.4', instructions: texts.Chinese, input, tools };
  const words = [texts.Chinese, ...input.map(({ content }) => content), ...tools.map((tool) => JSON.stringify(tool))];
  expect(tokensIn(countO200k, words)).toBeLessThanOrEqual(boundsOf(sent(value), gpt).inputTokens);
});

describe('the input of a request', () => {
  const windowed = sized({ contextWindow: 5_000 });

  test('is at most the window of the model', () => {
    expect(boundsOf(sent(chat(texts.English)), sized({ contextWindow: 1_024 })).inputTokens).toBe(1_024);
  });

  test('is little more than its bytes where it is small, so that a small balance is enough', () => {
    const value = chat('Hi');
    const { inputTokens } = boundsOf(sent(value), gpt);
    expect(inputTokens).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(value)) + 100);
  });

  test.each([
    ['a picture by its address', chat([{ type: 'image_url', image_url: { url: 'https://a.example/cat.png' } }])],
    ['a file by its id', chat([{ type: 'file', file: { file_id: 'file_1' } }])],
    ['a packed document', chat([{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }])],
    ['a web search of chat', chat('News?', { web_search_options: {} })],
    ['a web search', { model: 'gpt-5.4', input: 'News?', tools: [{ type: 'web_search' }] }],
  ])('may fill the whole window where it brings %s', (_what, value) => {
    expect(boundsOf(sent(value), windowed).inputTokens).toBe(5_000);
  });

  test('counts a small picture for more than its bytes', () => {
    const picture = chat([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]);
    expect(boundsOf(sent(picture), gpt).inputTokens).toBeGreaterThan(5_000);
  });
});

test('the calls of a search are held for, by either way to ask for one', () => {
  const calls = (more: Fields) => boundsOf(sent(chat('News?', more)), gpt).toolCalls;
  expect(calls({ web_search_options: { search_context_size: 'low' } })).toBe(calls({ tools: [{ type: 'web_search' }] }));
  expect([calls({ web_search_options: {} }), calls({ web_search_options: null }), calls({})]).toEqual([16, 0, 0]);
});

describe('the output of a request', () => {
  const output = (more: Fields, model: Model = gpt) => boundsOf(sent(chat('Hi', more)), model).outputTokens;
  const open: Model = (({ maxOutputTokens: _, ...rest }) => rest)(gpt);

  test.each([
    { what: 'all that the model can, where nobody sets a limit', more: {}, tokens: 128_000 },
    { what: 'what the caller allows, by either name on chat', more: { max_tokens: 10 }, tokens: 10 },
    { what: 'what the caller allows, by the newer name', more: { max_completion_tokens: 20 }, tokens: 20 },
    { what: 'what the caller allows on responses', more: { max_output_tokens: 30 }, tokens: 30 },
    { what: 'the greater of two limits, whichever the upstream obeys', more: { max_tokens: 10, max_completion_tokens: 20 }, tokens: 20 },
    { what: 'that for each of n answers', more: { max_tokens: 10, n: 3 }, tokens: 30 },
    { what: 'no more than the model can, whatever the caller allows', more: { max_tokens: 10_000_000 }, tokens: 128_000 },
    { what: 'all of it where the limit is null', more: { max_tokens: null, n: null }, tokens: 128_000 },
  ])('is $what', ({ more, tokens }) => {
    expect(output(more)).toBe(tokens);
  });

  test('of a model of unknown size is bounded by the caller, or by what the largest models can', () => {
    expect([output({}, open), output({ max_tokens: 10 }, open), output({ max_tokens: 500_000 }, open)]).toEqual([128_000, 10, 500_000]);
  });

  test('stays a whole number at the greatest values that the contract lets in', () => {
    expect(output({ max_tokens: 10_000_000, n: 128 }, open)).toBe(1_280_000_000);
  });
});

describe('the pictures of a request', () => {
  const drawn = (value: Fields) => boundsOf({ asked: value, body: jsonBody(value), isImage: true }, gpt);

  test('are as many as were asked for, of the kind that was asked for', () => {
    expect(drawn({ prompt: 'A cat', n: 4, size: '1024x1024', quality: 'low' })).toMatchObject({ images: 4, imageKind: '1024x1024/low' });
    expect(drawn({ prompt: 'A cat' })).toMatchObject({ images: 1, imageKind: 'auto/auto', inputTokens: 0, outputTokens: 0 });
  });
});

test('the same request always holds the same', () => {
  const value = chat(texts.German, { n: 2, tools: [] });
  expect(boundsOf(sent(value), gpt)).toEqual(boundsOf(sent(JSON.parse(JSON.stringify(value))), gpt));
});

test('the rough count for limits by the minute leaves the bytes of pictures out', () => {
  const picture = `data:image/png;base64,${texts.base64.repeat(20)}`;
  const value = chat([
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: picture } },
  ]);
  expect(roughTokens(sent(value))).toBeLessThan(100);
  expect(roughTokens(sent(chat(texts.English)))).toBeGreaterThan(countO200k(texts.English, plain) / 2);
});
