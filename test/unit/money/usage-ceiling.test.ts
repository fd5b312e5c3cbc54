/** The bounds of a request are computed before it is sent, and are at least the token counts of vendors, in any language (promise G3). */
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { loadConfig, type Model } from '../../../server/config/config.ts';
import { openModelCatalog } from '../../../server/config/model-catalog.ts';
import {
  type CeilingRequest,
  computeBounds,
  computeShortCallBounds,
  estimateTokens,
  UsageCeiling,
} from '../../../server/money/usage-ceiling.ts';
import { createJsonBody, type JsonBody } from '../../../server/protocols/wire/json-body.ts';

const [first] = openModelCatalog(loadConfig({}, {})).list();
if (!first) throw new Error('the standard catalog is empty');
const gpt: Model = first;
const sized = (sizes: Partial<Model>): Model => ({ ...gpt, ...sizes });

type Fields = Readonly<Record<string, unknown>>;
const sent = (value: Fields, body: JsonBody = createJsonBody(value)): CeilingRequest => ({ request: value, body, isImage: false });
const chat = (content: unknown, more: Fields = {}): Fields => ({ model: 'gpt-5.4', messages: [{ role: 'user', content }], ...more });

/** Texts that tokenizers split in very different ways; each has some thousand characters. */
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
  whitespace: ' \t \n\n  '.repeat(500),
  'control characters': '\u0000\u0001\u001b[31m\u007f\u0085'.repeat(300),
  'surrogate pairs and format characters': '\ud83d\ude00\ufffd\u200b\u202e'.repeat(300),
  'special tokens': '<|endoftext|><|im_start|>system<|im_sep|>'.repeat(100),
};
const counters = { o200k: countO200k, cl100k: countCl100k };
const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

const roughTokens = (request: CeilingRequest): number => new UsageCeiling(request, gpt).roughTokens;

/** Counts the tokens of a conversation as vendors do: those of its texts, and a few for each message. */
const tokensIn = (count: typeof countO200k, messages: readonly string[]): number =>
  messages.reduce((sum, text) => sum + count(text, plain) + 4, 3);

describe.each(Object.entries(texts))('a text in %s', (_name, text) => {
  test.each(Object.entries(counters))('fits the input bound with the tokens that %s counts', (_encoding, count) => {
    const one = computeBounds(sent(chat(text)), gpt).inputTokens;
    expect(tokensIn(count, [text])).toBeLessThanOrEqual(one);
    const parts = Array.from({ length: 64 }, (_, index) => text.slice(index * 7, index * 7 + 7));
    const messages = parts.map((content) => ({ role: 'user', content }));
    expect(tokensIn(count, parts)).toBeLessThanOrEqual(computeBounds(sent({ model: 'gpt-5.4', messages }), gpt).inputTokens);
  });
});

test('covers the token count of a text in JSON escapes with the input bound', () => {
  const bytes = Buffer.from(
    JSON.stringify(chat(texts.emoji)).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  const body: JsonBody = { kind: 'json', value: JSON.parse(bytes.toString()), bytes };
  expect(body.value).toEqual(chat(texts.emoji));
  expect(countO200k(texts.emoji, plain)).toBeLessThanOrEqual(computeBounds(sent(chat(texts.emoji), body), gpt).inputTokens);
});

test('covers tools, instructions, and every input item with the input bound', () => {
  const tools = Array.from({ length: 20 }, (_, index) => ({
    type: 'function',
    name: `look_${index}`,
    parameters: { type: 'object', properties: { where: { type: 'string', description: texts.English.slice(0, 200) } } },
  }));
  const input = Array.from({ length: 10 }, () => ({ role: 'user', content: texts.Thai.slice(0, 100) }));
  const value = { model: 'gpt-5.4', instructions: texts.Chinese, input, tools };
  const words = [texts.Chinese, ...input.map(({ content }) => content), ...tools.map((tool) => JSON.stringify(tool))];
  expect(tokensIn(countO200k, words)).toBeLessThanOrEqual(computeBounds(sent(value), gpt).inputTokens);
});

describe('the input bound', () => {
  const windowed = sized({ contextWindow: 5_000 });

  test('stays within the context window of the model', () => {
    expect(computeBounds(sent(chat(texts.English)), sized({ contextWindow: 1_024 })).inputTokens).toBe(1_024);
  });

  test('exceeds the bytes of a small request by at most 100', () => {
    const value = chat('Hi');
    const { inputTokens } = computeBounds(sent(value), gpt);
    expect(inputTokens).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(value)) + 100);
  });

  test.each([
    ['an image by URL', chat([{ type: 'image_url', image_url: { url: 'https://a.example/cat.png' } }])],
    ['a file by its id', chat([{ type: 'file', file: { file_id: 'file_1' } }])],
    ['a document as a data URL', chat([{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }])],
    ['a web search on chat', chat('News?', { web_search_options: {} })],
    ['an image by URL in parameters of no tool', chat('Hi', { parameters: { image_url: 'https://a.example/cat.png' } })],
    ['an item of an unknown kind', { model: 'gpt-5.4', input: [{ type: 'video_call' }] }],
    ['a web search on responses', { model: 'gpt-5.4', input: 'News?', tools: [{ type: 'web_search' }] }],
  ])('equals the whole context window with %s', (_what, value) => {
    expect(computeBounds(sent(value), windowed).inputTokens).toBe(5_000);
    expect(computeBounds(sent(value), sized({ contextWindow: undefined })).inputTokens).toBe(1_000_000);
  });

  test('excludes the URLs in the schema of a tool', () => {
    const schema = { type: 'object', properties: { image_url: { type: 'string' } }, example: { image_url: 'https://a.example/cat.png' } };
    for (const tool of [
      { type: 'function', name: 'look', parameters: schema },
      { type: 'function', function: { name: 'look', parameters: schema } },
      { name: 'look', input_schema: schema },
    ])
      expect(computeBounds(sent(chat('Hi', { tools: [tool] })), windowed).inputTokens).toBeLessThan(1_000);
  });

  test('exceeds 5,000 tokens for a small image as a data URL', () => {
    const picture = chat([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]);
    expect(computeBounds(sent(picture), gpt).inputTokens).toBeGreaterThan(5_000);
  });
});

test('bounds a web search to 16 tool calls, by web_search_options or by a tool', () => {
  const calls = (more: Fields) => computeBounds(sent(chat('News?', more)), gpt).toolCalls;
  expect(calls({ web_search_options: { search_context_size: 'low' } })).toBe(calls({ tools: [{ type: 'web_search' }] }));
  expect([calls({ web_search_options: {} }), calls({ web_search_options: null }), calls({})]).toEqual([16, 0, 0]);
});

describe('a request', () => {
  const windowed = sized({ contextWindow: 100_000, maxOutputTokens: 1_000 });
  const boundsFor = (more: object) => computeBounds(sent({ model: gpt.id, input: 'hello', ...more }), windowed);
  const search = { tools: [{ type: 'function', name: 'look' }, { type: 'web_search' }] };

  test('gets neither tool calls nor the whole context window in its bounds without hosted tools', () => {
    for (const tools of [
      undefined,
      [],
      search.tools.slice(0, 1),
      [{ type: 'local_shell' }, { type: 'apply_patch' }, { type: 'custom', name: 'note' }],
    ])
      expect(boundsFor({ tools })).toMatchObject({ toolCalls: 0, inputTokens: expect.toSatisfy((count: number) => count < 1_000) });
  });

  test('names its hosted tools or service tier, and the field that requests them', () => {
    const extras = [
      { kind: 'tool', name: 'web_search_call', path: 'tools[1]' },
      { kind: 'tier', name: 'priority', path: 'service_tier' },
    ];
    expect(boundsFor({ ...search, service_tier: 'priority' }).extras).toEqual(extras);
    expect(boundsFor({}).extras).toEqual([]);
  });

  test('gets max_tool_calls with hosted tools, by default 16, and the whole context window', () => {
    expect(boundsFor(search)).toMatchObject({ toolCalls: 16, inputTokens: 100_000 });
    expect(boundsFor({ ...search, max_tool_calls: 3 })).toMatchObject({ toolCalls: 3, inputTokens: 100_000 });
  });
});

describe('the output bound', () => {
  const output = (more: Fields, model: Model = gpt) => computeBounds(sent(chat('Hi', more)), model).outputTokens;
  const open: Model = (({ maxOutputTokens: _, ...rest }) => rest)(gpt);

  test.each([
    { what: 'the maximum of the model without a limit in the request', more: {}, tokens: 128_000 },
    { what: 'max_tokens', more: { max_tokens: 10 }, tokens: 10 },
    { what: 'max_completion_tokens', more: { max_completion_tokens: 20 }, tokens: 20 },
    { what: 'max_output_tokens', more: { max_output_tokens: 30 }, tokens: 30 },
    { what: 'the greater of max_tokens and max_completion_tokens', more: { max_tokens: 10, max_completion_tokens: 20 }, tokens: 20 },
    { what: 'max_tokens times n', more: { max_tokens: 10, n: 3 }, tokens: 30 },
    { what: 'the maximum of the model where max_tokens is greater', more: { max_tokens: 10_000_000 }, tokens: 128_000 },
    { what: 'the maximum of the model where max_tokens is null', more: { max_tokens: null, n: null }, tokens: 128_000 },
  ])('equals $what', ({ more, tokens }) => {
    expect(output(more)).toBe(tokens);
  });

  test('drops only where the request sets no limit, to the highest limit that its model accepts', () => {
    expect(computeBounds(sent(chat('Hi', { n: 3 })), gpt).unlimitedOutput).toEqual({ choiceCount: 3, maxTokensPerChoice: 128_000 });
    expect(computeBounds(sent(chat('Hi')), open).unlimitedOutput).toEqual({ choiceCount: 1, maxTokensPerChoice: 32_000 });
    expect(computeBounds(sent(chat('Hi', { max_tokens: 10 })), gpt)).not.toHaveProperty('unlimitedOutput');
  });

  test('equals max_tokens for a model without maxOutputTokens, or 128,000', () => {
    expect([output({}, open), output({ max_tokens: 10 }, open), output({ max_tokens: 500_000 }, open)]).toEqual([128_000, 10, 500_000]);
  });
});

describe('the image bound', () => {
  const drawn = (value: Fields) => computeBounds({ request: value, body: createJsonBody(value), isImage: true }, gpt);

  test('covers the tokens that OpenAI bills for each size and quality, for the images given, and for partial images', () => {
    const tokens = (asked: Fields) => drawn({ prompt: '', n: 1, ...asked }).outputTokens;
    const billed = { '1024x1024/low': 272, '1024x1536/low': 408, '1024x1024/medium': 1056, '1536x1024/high': 6208 };
    for (const [kind, most] of Object.entries(billed)) {
      const [size, quality] = kind.split('/');
      expect(tokens({ size, quality }), kind).toBeGreaterThanOrEqual(most);
      expect(tokens({ size, quality }), kind).toBeLessThan(most * 1.05);
    }
    expect(tokens({ n: 2 })).toBe(2 * tokens({}));
    expect(tokens({ stream: true, partial_images: 3 })).toBe(tokens({}) + 300);
    expect(
      computeBounds({ request: { prompt: '' }, body: createJsonBody({}), isImage: true }, sized({ maxOutputTokens: 5_000 })).outputTokens,
    ).toBe(5_000);
    expect(drawn({ prompt: 'A cat', images: ['a', 'b'] }).inputTokens).toBe(105 + 2 * tokens({}));
  });
});

test('bounds a short call to one image, or to text without images', () => {
  expect(computeShortCallBounds(sized({ kind: 'image' }))).toMatchObject({ images: 1 });
  expect(computeShortCallBounds(gpt)).toMatchObject({ images: 0, outputTokens: 128_000 });
});

test.each([
  ['all output that it may have, if it sets a limit', { outputTokens: 5_000 }, { reserve: 5_000, most: 5_100 }],
  [
    'a usual length for each answer, if it sets no limit',
    { outputTokens: 30_000, unlimitedOutput: { choiceCount: 3, maxTokensPerChoice: 10_000 } },
    { reserve: 12_288, most: 30_100 },
  ],
  [
    'the longest answers, if these are short',
    { outputTokens: 3_000, unlimitedOutput: { choiceCount: 3, maxTokensPerChoice: 1_000 } },
    { reserve: 3_000, most: 3_100 },
  ],
  ['100,000 tokens at most for each picture', { outputTokens: 0, images: 2 }, { reserve: 0, most: 200_100 }],
])('takes from token limits the estimate of a call and %s', (_what, more, taken) => {
  const bounds = { inputTokens: 100, images: 0, imageKind: 'auto/auto', ...more };
  expect(estimateTokens({ roughTokens: 42, bounds })).toEqual({ tokens: 42, ...taken });
});

test('counts no image bytes roughly, and more than half the tokens of a text', () => {
  const picture = `data:image/png;base64,${texts.base64.repeat(20)}`;
  const value = chat([
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: picture } },
  ]);
  expect(roughTokens(sent(value))).toBeLessThan(100);
  expect(roughTokens({ ...sent(chat(texts.English)), isImage: true })).toBe(0);
  const form = { kind: 'form', value: chat(texts.English), images: [], overlays: {} } as const;
  expect(roughTokens({ request: form.value, body: form, isImage: false })).toBe(0);
  expect(roughTokens(sent(chat(texts.English)))).toBeGreaterThan(countO200k(texts.English, plain) / 2);
});
