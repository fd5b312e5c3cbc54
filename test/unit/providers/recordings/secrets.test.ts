/** Secrets that are masked in recordings, and texts that only look like them. */
import { expect, test } from 'vitest';

import { extractSecrets, maskSecrets } from '../../../../server/providers/recordings/secrets.ts';

test.each([
  ['Bearer abcdefgh12345678', 'Bearer [secret]'],
  ['authorization: bearer eyJhbGciOi.eyJzdWIi.x1y2z3==', 'authorization: Bearer [secret]'],
  ['my sk-proj-abcdefghijklmnop1234 key', 'my [secret] key'],
  ['mg-0aB3dE5gH7jK9mN1pQ', '[secret]'],
  ['Bearer certificates are papers.', 'Bearer certificates are papers.'],
  ['a desk-organiser-with-many-drawers', 'a desk-organiser-with-many-drawers'],
  ['sk-short', 'sk-short'],
])('masks only secrets in: %s', (text, masked) => {
  expect(extractSecrets({ text }).value).toEqual({ text: masked });
  expect(maskSecrets(JSON.stringify({ text }), [])).toBe(JSON.stringify({ text: masked }));
});

test('masks fields that hold secrets anywhere, and the headers of an MCP server', () => {
  const { value, secrets } = extractSecrets({
    tools: [{ type: 'mcp', authorization: 'one', headers: { 'x-a': 'two' } }],
    metadata: { api_key: 'three', kind: 'plain' },
  });
  expect(value).toEqual({
    tools: [{ type: 'mcp', authorization: '[secret]', headers: { 'x-a': '[secret]' } }],
    metadata: { api_key: '[secret]', kind: 'plain' },
  });
  expect(secrets).toEqual(['one', 'two', 'three']);
});

test("doesn't mask properties of a schema that have such names", () => {
  const schema = { properties: { password: { type: 'string' }, headers: { type: 'object' } } };
  expect(extractSecrets(schema)).toEqual({ value: schema, secrets: [] });
});

test("masks a known secret in its JSON form, unless it's very short", () => {
  const secret = 'with "quotes" and \\';
  expect(maskSecrets(JSON.stringify({ a: `x ${secret} y`, b: 'word' }), [secret, 'word'])).toBe('{"a":"x [secret] y","b":"word"}');
});
