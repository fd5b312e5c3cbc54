/** The samples beside each operation: complete, and made to run with nothing but a base URL and a key. */
import { describe, expect, it } from 'vitest';
import { contract } from '../../../contract/index.ts';
import type { OperationName } from '../../../docs/generate/openapi/operation.ts';
import { samplesOf } from '../../../docs/generate/openapi/samples.ts';

// Object.keys forgets the names of a literal object.
const operations = Object.keys(contract) as OperationName[];
const streamed = operations.filter((name) => name === 'createResponse' || name === 'createChatCompletion');
const isPublic = (name: OperationName) => 'isPublic' in contract[name].metadata;

describe('a reader who copies a sample', () => {
  it.each(operations)('finds %s in curl, Python, JavaScript and our own client', (name) => {
    const labels = samplesOf(name).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['curl', 'Python', 'JavaScript', '@modelgate/client']));
  });

  it.each(streamed)('finds %s streamed in each of them', (name) => {
    const labels = samplesOf(name).map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['curl (stream)', 'Python (stream)', 'JavaScript (stream)', '@modelgate/client (stream)']),
    );
  });

  it.each(operations)('changes one address and sets one variable to run %s', (name) => {
    for (const { label, source } of samplesOf(name)) {
      expect(
        source.match(/https?:\/\/[^"'\s]+/g)?.every((url) => url.startsWith(`http://127.0.0.1:8080${isPublic(name) ? '/' : '/v1'}`)),
        label,
      ).toBe(true);
      if (!isPublic(name)) expect(source, label).toContain('MODELGATE_API_KEY');
    }
  });
});
