/** JSON with millions of tiny values is recognised before it is parsed, and long conversations are not mistaken for it. */
import { expect, test } from 'vitest';
import { exceedsValueLimit, MAX_VALUES } from '../../../../server/api/http/value-limit.ts';

const padding = ' '.repeat(1024 * 1024);
const listOf = (value: string, count: number): Buffer => Buffer.from(`[${Array.from({ length: count }, () => value).join(',')}]${padding}`);

test.each(['[]', '{}', '0'])('rejects more than MAX_VALUES values %s as too dense, and accepts half as many', (value) => {
  expect(exceedsValueLimit(listOf(value, MAX_VALUES + 1))).toBe(true);
  // An empty list counts twice: for its bracket and for its comma.
  expect(exceedsValueLimit(listOf(value, MAX_VALUES / 2 - 1))).toBe(false);
});

test('accepts a conversation of 4,096 items with 1,000 tools', () => {
  const asked = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'read',
    arguments: '{"path":"a.ts","from":1}',
    status: 'completed',
  };
  const told = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x'.repeat(100) }] };
  const properties = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`field_${index}`, { type: 'string', description: 'Any.' }]),
  );
  const tool = { type: 'function', name: 'read', parameters: { type: 'object', properties, required: ['field_0'] }, strict: false };
  const input = Array.from({ length: 2_048 }, () => [told, asked]).flat();
  expect(exceedsValueLimit(Buffer.from(JSON.stringify({ input, tools: Array.from({ length: 1_000 }, () => tool) })))).toBe(false);
});

test('ignores characters in strings, with any escapes', () => {
  const text = ',[{\\"\\\\'.repeat(MAX_VALUES);
  expect(exceedsValueLimit(Buffer.from(JSON.stringify({ prompt: text })))).toBe(false);
  expect(exceedsValueLimit(Buffer.from(`{"prompt":"${'\\\\'.repeat(MAX_VALUES)}","n":1}${padding}`))).toBe(false);
});

test("accepts text with an open string, and text that isn't JSON", () => {
  expect(exceedsValueLimit(Buffer.from(`{"a":"${padding}`))).toBe(false);
  expect(exceedsValueLimit(Buffer.from(`"""${padding}`))).toBe(false);
});
