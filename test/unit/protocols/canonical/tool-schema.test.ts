/** Schemas of tools that vendors refuse, and the equivalent schemas that are sent. */
import { expect, test } from 'vitest';
import { toToolSchema } from '../../../../server/protocols/canonical/tool-schema.ts';
import { WorkBudget } from '../../../../server/protocols/canonical/work-budget.ts';

const written = (parameters: Readonly<Record<string, unknown>>) =>
  toToolSchema(parameters, new WorkBudget().forField('tools[0].parameters'));

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const same: readonly (readonly [string, object, object])[] = [
  ['nothing', {}, object({})],
  ['an object without properties', { type: 'object' }, object({})],
  ['properties written as an empty list', { type: 'object', properties: [] }, object({})],
  ['no type', { properties: { a: text }, required: ['a'] }, object({ a: text }, { required: ['a'] })],
  ['an object or null', { type: ['object', 'null'], properties: { a: text } }, object({ a: text })],
  [
    'keywords set to null',
    object({ a: { type: null, description: null, default: null } }, { required: null }),
    object({ a: { default: null } }),
  ],
  ['a list of anything', object({ a: { type: ['array', 'null'] } }), object({ a: { type: ['array', 'null'], items: {} } })],
  [
    'a list inside a definition',
    object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { type: 'array' } } }),
    object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { type: 'array', items: {} } } }),
  ],
  [
    'items by their place',
    object({ a: { type: 'array', items: [text, text], additionalItems: false } }),
    object({ a: { type: 'array', prefixItems: [text, text], items: false } }),
  ],
  [
    'bounds of draft 4',
    object({ a: { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } }),
    object({ a: { exclusiveMinimum: 0, maximum: 9 } }),
  ],
  [
    'marks on the properties',
    object({ a: { ...text, required: true }, b: { ...text, required: false } }),
    object({ a: text, b: text }, { required: ['a'] }),
  ],
  [
    'a property that is called like a keyword',
    object({ items: { type: 'array', items: text }, required: { type: 'boolean' }, enum: text, type: text, anyOf: text }),
    object({ items: { type: 'array', items: text }, required: { type: 'boolean' }, enum: text, type: text, anyOf: text }),
  ],
  [
    'values of the caller',
    object({ a: { default: { type: null }, enum: [{ items: [] }, null], const: null } }),
    object({ a: { default: { type: null }, enum: [{ items: [] }, null], const: null } }),
  ],
];

test.each(same)('rewrites %s', (_what, given, sent) => {
  expect(written({ ...given })).toEqual(sent);
});

test('keeps a valid schema, with its order', () => {
  const given = {
    type: 'object',
    properties: { b: text, a: { anyOf: [text, { type: 'null' }] } },
    required: ['b'],
    additionalProperties: false,
  };
  expect(JSON.stringify(written(given))).toBe(JSON.stringify(given));
});

test('keeps a schema of another type than object', () => {
  expect(written({ type: 'string' })).toEqual({ type: 'string' });
});

test('merges a union at the top into one object with all properties, requiring what all branches require', () => {
  const circle = object(
    { kind: { const: 'circle' }, size: { type: 'number' } },
    { required: ['kind', 'size'], additionalProperties: false },
  );
  const label = object({ kind: { const: 'label' }, size: text }, { required: ['kind'], additionalProperties: false });
  expect(written({ oneOf: [circle, label, { type: 'null' }], description: 'A shape.' })).toEqual({
    ...object({ kind: { anyOf: [{ const: 'circle' }, { const: 'label' }] }, size: { anyOf: [{ type: 'number' }, text] } }),
    description: 'A shape.',
    required: ['kind'],
    additionalProperties: false,
  });
});

test('keeps properties of a union with names of the prototype', () => {
  const [one, other] = ['{"constructor":{"type":"string"},"__proto__":{"type":"number"}}', '{"toString":{"type":"array","items":{}}}'];
  const sent = written(JSON.parse(`{"anyOf":[{"properties":${one}},{"properties":${other}}]}`));
  expect(JSON.stringify(sent.properties)).toBe(`${one.slice(0, -1)},${other.slice(1)}`);
});

test('removes a union of required lists', () => {
  const either = object({ a: text, b: text, c: text }, { required: ['c'], anyOf: [{ required: ['a'] }, { required: ['b'] }] });
  expect(written({ ...either })).toEqual(object({ a: text, b: text, c: text }, { required: ['c'] }));
});

test('merges allOf and references at the top', () => {
  const $defs = { Page: object({ page: { type: 'integer' }, parent: { $ref: '#/$defs/Page' } }, { required: ['page'] }) };
  const joined = { allOf: [{ $ref: '#/$defs/Page' }, object({ query: text }, { required: ['query'] })], $defs };
  expect(written(joined)).toEqual(
    object({ page: { type: 'integer' }, parent: { $ref: '#/$defs/Page' }, query: text }, { required: ['page', 'query'], $defs }),
  );
});

test('ends circular and unknown references', () => {
  expect(written({ $ref: '#' })).toEqual(object({}));
  expect(written({ $ref: '#/nowhere', properties: { a: text } })).toEqual(object({ a: text }));
  const $defs = { A: { anyOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }, object({ a: text })] } };
  expect(written({ $ref: '#/$defs/A', $defs })).toEqual(object({ a: text }, { $defs }));
});
