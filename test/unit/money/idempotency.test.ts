/** The form of an idempotency key, and what makes two requests equal (F40). */
import { describe, expect, test } from 'vitest';

import { hashParts, readIdempotencyKey } from '../../../server/call/idempotency.ts';

describe('the header idempotency-key', () => {
  test.each(['k', '0f8fad5b-d9cb-469f-a165-70867728950e', '!~#"', 'x'.repeat(255)])('accepts visible characters: %s', (key) => {
    expect(readIdempotencyKey(key)).toBe(key);
  });

  test.each(['', ' ', 'two words', ' k', 'k ', 'tab\there', 'line\n', 'ä', '\u007f', 'x'.repeat(256)])('rejects %j', (key) => {
    expect(() => readIdempotencyKey(key)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  test('rejects two values', () => {
    expect(() => readIdempotencyKey(['one', 'two'])).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});

describe('F40: a request', () => {
  const bytes = (text: string) => Buffer.from(text);
  const one = hashParts(['createResponse', bytes('{"a":1}')]);

  test('equals another if every part does, as text or as bytes', () => {
    expect(hashParts(['createResponse', bytes('{"a":1}')])).toBe(one);
    expect(hashParts(['createResponse', '{"a":1}'])).toBe(one);
  });

  test.each([
    [['createChatCompletion', '{"a":1}']],
    [['createResponse', '{"a": 1}']],
    [['createResponse', '{"a":1}', '']],
    [['createResponse{"a":1}']],
    [['createRespons', 'e{"a":1}']],
    [['{"a":1}', 'createResponse']],
    [['createResponse7:', '{"a":1}']],
  ])('differs from another if a part differs or is divided differently: %j', (parts) => {
    expect(hashParts(parts)).not.toBe(one);
  });
});
