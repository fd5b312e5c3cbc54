/** The generator of the client's types, for what an OpenAPI document may contain. */
import { expect, test } from 'vitest';
import { TypeWriter } from '../../../docs/generate/client/typescript.ts';
import type { JsonSchema } from '../../../docs/generate/openapi/json-schema.ts';

const writer = new TypeWriter({ Response: 'ModelResponse' });
const write = (schema: JsonSchema, name = 'Thing') => writer.writeDeclaration(name, schema);
const text = { type: 'string' };

test('an object with named fields is closed at every depth, though its schema allows other fields', () => {
  const inner = { type: 'object', properties: { a: text }, additionalProperties: {} };
  const written = write({ type: 'object', properties: { inner, list: { type: 'array', items: inner } }, additionalProperties: {} });
  expect(written).not.toContain('[key: string]');
  expect(written).toContain('inner?: {\n    a?: string | undefined;\n  } | undefined;');
});

test('an object without named fields is a map', () => {
  expect(write({ type: 'object', additionalProperties: {} })).toContain('export type Thing = { [key: string]: unknown; };');
  expect(write({ type: 'object', additionalProperties: { type: 'number' } })).toContain('{ [key: string]: number; };');
});

test('conditions between fields do not change the type', () => {
  const rules = { anyOf: [{ required: ['a'] }, { required: ['b'] }], not: { required: ['a', 'b'] }, allOf: [{ not: { required: ['b'] } }] };
  expect(write({ type: 'object', properties: { a: text, b: text }, ...rules })).toContain(
    '{\n  a?: string | undefined;\n  b?: string | undefined;\n}',
  );
  const inner = { type: 'object', properties: { a: text }, ...rules };
  expect(write({ type: 'object', properties: { inner } })).toContain('inner?: {\n    a?: string | undefined;\n  } | undefined;');
});

test('allOf becomes an intersection, and names of the document may be renamed', () => {
  expect(write({ allOf: [{ $ref: '#/components/schemas/Response' }, { type: 'object', properties: { a: text } }] })).toContain(
    'ModelResponse & {\n  a?: string | undefined;\n}',
  );
  expect(write({ type: 'object', properties: { id: text } }, 'Response')).toContain('export interface ModelResponse {');
});

test('a field has one comment, which marks its deprecation', () => {
  const described = { type: 'string', description: 'First line.\n\n  Second line, with */ in it.', maxLength: 64 };
  expect(write({ type: 'object', properties: { a: described } })).toContain(
    '/** First line. Second line, with *\\/ in it. At most 64 characters. */',
  );
  const old = { type: 'string', deprecated: true, description: 'Deprecated. What was before.' };
  expect(write({ type: 'object', properties: { old } })).toContain('/** @deprecated What was before. */');
  expect(write({ type: 'object', properties: { old: { ...text, deprecated: true } } })).toContain('/** @deprecated */');
});

test('a field name that is not an identifier is quoted', () => {
  expect(write({ type: 'object', properties: { 'image[]': text }, required: ['image[]'] })).toContain("'image[]': string;");
});
