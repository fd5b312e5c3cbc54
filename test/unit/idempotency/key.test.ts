/** What is an idempotency key, and what makes two requests the same one (F40). */
import { describe, expect, test } from 'vitest';
import { fingerprintOf, readKey } from '../../../server/idempotency/key.ts';

describe('the header', () => {
  test.each(['k', '0f8fad5b-d9cb-469f-a165-70867728950e', '!~#"', 'x'.repeat(255)])('holds a key of visible characters: %s', (key) => {
    expect(readKey(key)).toBe(key);
  });

  test.each(['', ' ', 'two words', ' k', 'k ', 'tab\there', 'line\n', 'ä', '\u007f', 'x'.repeat(256)])('holds no other: %j', (key) => {
    expect(() => readKey(key)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  test('holds one key', () => {
    expect(() => readKey(['one', 'two'])).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});

describe('F40: two requests', () => {
  const bytes = (text: string) => Buffer.from(text);
  const one = fingerprintOf(['createResponse', bytes('{"a":1}')]);

  test('are the same where every part is, as text or as bytes', () => {
    expect(fingerprintOf(['createResponse', bytes('{"a":1}')])).toBe(one);
    expect(fingerprintOf(['createResponse', '{"a":1}'])).toBe(one);
  });

  test.each([
    [['createChatCompletion', '{"a":1}']],
    [['createResponse', '{"a": 1}']],
    [['createResponse', '{"a":1}', '']],
    [['createResponse{"a":1}']],
    [['createRespons', 'e{"a":1}']],
    [['{"a":1}', 'createResponse']],
    [['createResponse7:', '{"a":1}']],
  ])('are not where a part differs, or lies elsewhere: %j', (parts) => {
    expect(fingerprintOf(parts)).not.toBe(one);
  });
});
