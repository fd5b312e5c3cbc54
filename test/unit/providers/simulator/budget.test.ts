/** The output of the simulator for one request, bounded before it is made. */
import { describe, expect, test } from 'vitest';
import { MAX_ENTRIES, planResponses } from '../../../../server/providers/simulator/plan.ts';
import { readSimulatorRequest } from '../../../../server/providers/simulator/simulator-request.ts';
import { MAX_PIECE_LENGTH, splitPieces } from '../../../../server/providers/simulator/tokens.ts';
import { readChunks, readJson, send, type Wire } from './ask.ts';

const ask = (prompt: string, more: Wire = {}): Wire => ({ messages: [{ role: 'user', content: prompt }], ...more });

/** Tokens of all answers, with their probabilities and the alternatives to them. */
function entriesOf(body: Wire): number {
  const read = readSimulatorRequest('createChatCompletion', body);
  const tokens = planResponses(read).reduce((sum, plan) => sum + plan.items.reduce((all, item) => all + item.pieces.length, 0), 0);
  return tokens * (read.topLogprobs === null ? 1 : 2 + read.topLogprobs);
}

const logprobs = { logprobs: true, top_logprobs: 20 };
const texts = { type: 'array', minItems: 100, items: { type: 'array', minItems: 100, items: { type: 'string', minLength: 10_000 } } };
const tool = {
  type: 'function',
  function: { name: 'draw', parameters: { type: 'object', required: ['rows'], properties: { rows: texts } } },
};

describe('A11: the output of one request', () => {
  test.each<[what: string, body: Wire]>([
    ['many choices of many words, with alternatives', ask('write 2000 words', { n: 128, max_tokens: 2_000, ...logprobs })],
    ['one choice with alternatives', ask('write 10000 words', logprobs)],
    ['many choices of a long echo', ask(`repeat: ${'a b '.repeat(1_000_000)}`, { n: 128 })],
    ['many choices of spaces', ask(`repeat: ${' '.repeat(4_000_000)}.`, { n: 128, ...logprobs })],
    [
      'many choices about many results',
      {
        messages: [
          { role: 'user', content: 'go' },
          ...Array.from({ length: 4_000 }, (_, index) => ({ role: 'tool', tool_call_id: `c${index}`, content: 'x '.repeat(300) })),
        ],
        n: 128,
      },
    ],
    ['texts of texts', ask('Oslo', { n: 128, response_format: { type: 'json_schema', json_schema: { name: 's', schema: texts } } })],
    ['calls of a tool with texts of texts', ask('call draw for Oslo, Rome, Paris and Bonn', { n: 128, tools: [tool] })],
  ])('stays bounded: %s', (_, body) => {
    const entries = entriesOf(body);
    expect(entries).toBeGreaterThan(0);
    expect(entries).toBeLessThanOrEqual(MAX_ENTRIES);
  });

  test("ends with finish_reason length if it's cut", async () => {
    const { choices } = await readJson<{ choices: { finish_reason: string }[] }>(
      send('createChatCompletion', ask('write 2000 words', { n: 128 })),
    );
    expect(new Set(choices.map(({ finish_reason }) => finish_reason))).toEqual(new Set(['length']));
    const structured = { n: 2, response_format: { type: 'json_schema', json_schema: { name: 's', schema: texts } } };
    expect(await readJson(send('createChatCompletion', ask('Oslo', structured)))).toMatchObject({
      choices: [{ finish_reason: 'length' }, { finish_reason: 'length' }],
    });
  });

  test('stops at max_tokens', async () => {
    const structured = { max_tokens: 16, response_format: { type: 'json_schema', json_schema: { name: 's', schema: texts } } };
    const chunks = await readChunks(await send('createChatCompletion', ask('Oslo', structured)));
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ usage: { completion_tokens: 16 } });
  });

  test('arrives complete for an ordinary request', async () => {
    const { choices } = await readJson<{ choices: unknown[] }>(send('createChatCompletion', ask('count to 10', { n: 4, ...logprobs })));
    expect(choices).toHaveLength(4);
    expect(choices[3]).toMatchObject({ finish_reason: 'stop', message: { content: '1, 2, 3, 4, 5, 6, 7, 8, 9, 10' } });
  });
});

test('A11: bounds the length of tokens, which together are the text', () => {
  const text = `${' '.repeat(100)}a${'b'.repeat(100)}\n\n  ${'🌍'.repeat(30)} c`;
  const pieces = splitPieces(text, 1_000);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(MAX_PIECE_LENGTH);
  expect(splitPieces('a '.repeat(100_000), 10)).toHaveLength(11);
});

test('A11: writes large responses to concurrent requests in separate turns', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const body = ask('write 2000 words', { n: 128, max_tokens: 2_000, ...logprobs });
  const seen = await Promise.all([1, 2, 3].map(() => send('createChatCompletion', body).then(() => turn)));
  isCounting = false;
  expect(new Set(seen).size).toBe(3);
});
