/** Texts of millions of tiny values are known before they are parsed; long conversations are not taken for such. */
import { expect, test } from 'vitest';
import { isTooDense, MOST_VALUES } from '../../../../server/http/body/json-complexity.ts';

const padding = ' '.repeat(1024 * 1024);
const listOf = (value: string, count: number): Buffer => Buffer.from(`[${Array.from({ length: count }, () => value).join(',')}]${padding}`);

test.each(['[]', '{}', '0'])('more than the most values of %s are too dense, and half as many are not', (value) => {
  expect(isTooDense(listOf(value, MOST_VALUES + 1))).toBe(true);
  // Each empty list opens, and a comma stands before it.
  expect(isTooDense(listOf(value, MOST_VALUES / 2 - 1))).toBe(false);
});

test('the longest conversation with very many tools is not', () => {
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
  expect(isTooDense(Buffer.from(JSON.stringify({ input, tools: Array.from({ length: 1_000 }, () => tool) })))).toBe(false);
});

test('what stands in strings is not counted, whatever is escaped in them', () => {
  const text = ',[{\\"\\\\'.repeat(MOST_VALUES);
  expect(isTooDense(Buffer.from(JSON.stringify({ prompt: text })))).toBe(false);
  expect(isTooDense(Buffer.from(`{"prompt":"${'\\\\'.repeat(MOST_VALUES)}","n":1}${padding}`))).toBe(false);
});

test('a text whose string never ends, or that is no JSON at all, is passed over', () => {
  expect(isTooDense(Buffer.from(`{"a":"${padding}`))).toBe(false);
  expect(isTooDense(Buffer.from(`"""${padding}`))).toBe(false);
});
