/** Which differences between two OpenAPI documents break a caller, and the line that each of them gets in the changelog. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withoutProse } from '../../../docs/generate/api-changelog.ts';
import { type Change, compareDocuments } from '../../../docs/generate/openapi/changes.ts';
import type { JsonSchema } from '../../../docs/generate/openapi/json-schema.ts';
import { buildDocument } from '../../../docs/generate/openapi.ts';

const released = new URL('../../../docs/generated/released-openapi.json', import.meta.url);
const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A document with one operation, which has the schema `Thing` in its request and in its responses, and what the test adds to them. */
function documentWith({ thing = {}, operation = {}, schemas = {} }: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const post = {
    operationId: 'makeThing',
    requestBody: json(ref('Thing')),
    responses: { 200: json(ref('Thing')), 400: json(ref('Thing')) },
    ...operation,
  };
  const field = (schema: JsonSchema) => ({ type: 'object', properties: { field: schema } });
  return { paths: { '/v1/things': { post } }, components: { schemas: { Thing: field(thing), ...schemas } } };
}

const linesOf = (changes: readonly Change[]): string[] =>
  changes.map(({ line, isBreaking }) => `${isBreaking ? 'breaking' : 'harmless'} ${line}`);
const compare = (before: JsonSchema, after: JsonSchema) => linesOf(compareDocuments(before, after));

describe('a changed schema', () => {
  const text = { type: 'string' };
  const union = (...members: JsonSchema[]) => ({ anyOf: members });
  const narrower: [JsonSchema, JsonSchema, string][] = [
    [{ ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }, 'value b removed'],
    [text, { ...text, enum: ['a', 'b'] }, 'only a, b instead of any value'],
    [{ type: ['string', 'null'] }, text, 'null removed'],
    [union(text, { type: 'array', items: text }), text, 'array removed'],
    [{}, text, 'only string instead of any value'],
    [{ type: 'number' }, { type: 'integer' }, 'integers instead of numbers'],
    [{ ...text, maxLength: 9 }, { ...text, maxLength: 5 }, 'maxLength 9 → 5'],
    [{ type: 'number' }, { type: 'number', maximum: 2 }, 'maximum none → 2'],
    [{ type: 'array', minItems: 1 }, { type: 'array', minItems: 2 }, 'minItems 1 → 2'],
    [text, { ...text, pattern: 'a' }, "'pattern' added"],
    [{ type: 'object' }, { type: 'object', additionalProperties: false }, 'no other fields'],
  ];

  it.each(narrower)('breaks requests from %j to %j, and responses on the way back', (before, after, what) => {
    const there = compare(documentWith({ thing: before }), documentWith({ thing: after }));
    expect(there).toContain(`breaking \`Thing.field\` (request): ${what}`);
    expect(there).toContain(`harmless \`Thing.field\` (response): ${what}`);
    const back = compare(documentWith({ thing: after }), documentWith({ thing: before }));
    expect(back).toEqual([
      expect.stringMatching(/^breaking `Thing\.field` \(response\): /),
      expect.stringMatching(/^harmless `Thing\.field` \(request\): /),
      expect.stringMatching(/^harmless `Thing\.field` \(error\): /),
    ]);
  });

  it.each([
    ['in a list', { type: 'array', items: text }, { type: 'array', items: { type: 'number' } }, 'Thing.field[]'],
    [
      'among other fields',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { type: 'number' } },
      'Thing.field.*',
    ],
    ['in one of two members', union(text, ref('One')), union(text, ref('One')), 'One.inner'],
  ])('breaks both sides %s', (_where, before, after, place) => {
    const one = (inner: JsonSchema) => ({ One: { type: 'object', properties: { inner } } });
    const lines = compare(
      documentWith({ thing: before, schemas: one(text) }),
      documentWith({ thing: after, schemas: one({ type: 'number' }) }),
    );
    expect(lines).toContain(`breaking \`${place}\` (request): string removed`);
    expect(lines).toContain(`breaking \`${place}\` (response): number added`);
  });

  it('breaks requests beside a reference, and beside a union', () => {
    const schemas = { Text: text };
    const beside = (schema: JsonSchema) =>
      documentWith({ thing: { type: 'object', properties: { one: ref('Text'), two: schema } }, schemas });
    const line = (place: string) => `breaking \`${place}\` (request): maxLength none → 5`;
    expect(compare(beside(ref('Text')), beside({ ...ref('Text'), maxLength: 5 }))).toContain(line('Thing.field.two'));
    expect(compare(beside(union(text)), beside({ ...union(text), maxLength: 5 }))).toContain(line('Thing.field.two'));
  });

  it('breaks both sides with another pattern, or another value instead of one', () => {
    const pattern = compare(documentWith({ thing: { ...text, pattern: 'a' } }), documentWith({ thing: { ...text, pattern: 'b' } }));
    expect(pattern.slice(0, 2)).toEqual(['request', 'response'].map((side) => `breaking \`Thing.field\` (${side}): 'pattern' changed`));
    const value = compare(documentWith({ thing: { const: 'a' } }), documentWith({ thing: { const: 'b' } }));
    expect(value).toContain('breaking `Thing.field` (request): value a removed');
    expect(value).toContain('breaking `Thing.field` (response): value b added');
  });

  it('equals its other forms: a list of types, a union of them, a new name of a component', () => {
    const list = documentWith({ thing: { type: ['string', 'null'] } });
    expect(compare(list, documentWith({ thing: union(text, { type: 'null' }) }))).toEqual([]);
    const named = (name: string) => documentWith({ thing: ref(name), schemas: { [name]: text } });
    expect(compare(named('Old'), named('New'))).toEqual([]);
    expect(compare(named('Old'), documentWith({ thing: text }))).toEqual([]);
  });

  it('breaks no reader as a union with a member for newer values', () => {
    const member = (type: JsonSchema) => ({ type: 'object', required: ['type'], properties: { type } });
    const open = (...types: string[]) => {
      const known = types.map((type) => member({ const: type }));
      return documentWith({ thing: { oneOf: [...known, member({ ...text, not: { enum: types } })] } });
    };
    const lines = compare(open('a'), open('a', 'b'));
    expect(lines.filter((line) => line.startsWith('breaking'))).toEqual([]);
    expect(lines).toContain('harmless `Thing.field` (response): b added');
  });

  it('counts once if it refers to itself', () => {
    const tree = (leaf: JsonSchema) =>
      documentWith({ thing: ref('Tree'), schemas: { Tree: { type: 'object', properties: { leaf, next: ref('Tree') } } } });
    expect(compare(tree(text), tree({ type: ['string', 'null'] }))).toEqual([
      'breaking `Tree.leaf` (response): null added',
      'harmless `Tree.leaf` (request): null added',
      'harmless `Tree.leaf` (error): null added',
    ]);
  });

  it('breaks nothing with a deprecated field', () => {
    const lines = compare(documentWith({ thing: text }), documentWith({ thing: { ...text, deprecated: true } }));
    expect(lines).toEqual(['request', 'response', 'error'].map((side) => `harmless \`Thing.field\` (${side}): deprecated`));
  });
});

describe('a field', () => {
  const thing = (properties: JsonSchema, required: string[] = []) =>
    documentWith({ schemas: { Thing: { type: 'object', properties, required } } });
  const text = { type: 'string' };
  const both = (one: string, other: string, what: string) => [
    `${one} \`Thing.a\` (request): ${what}`,
    `${other} \`Thing.a\` (response): ${what}`,
  ];

  it.each([
    ["both sides if it's removed", thing({ a: text }), thing({}), both('breaking', 'breaking', 'removed')],
    ["nothing if it's added", thing({}), thing({ a: text }), both('harmless', 'harmless', 'added')],
    ["requests if it's added and required", thing({}), thing({ a: text }, ['a']), both('breaking', 'harmless', 'added, required')],
    ['requests if it becomes required', thing({ a: text }), thing({ a: text }, ['a']), both('breaking', 'harmless', 'required')],
    ['responses if it becomes optional', thing({ a: text }, ['a']), thing({ a: text }), both('harmless', 'breaking', 'optional')],
  ])('breaks %s', (_title, before, after, lines) => {
    expect(compare(before, after)).toEqual(expect.arrayContaining(lines));
  });
});

describe('a changed operation', () => {
  const operation = (changed: JsonSchema) => documentWith({ operation: changed });
  const parameter = (schema: JsonSchema, required = false) => ({ parameters: [{ in: 'query', name: 'limit', required, schema }] });
  const whole = { type: 'integer', maximum: 100 };
  const empty = { paths: {} };

  it.each([
    ['breaking `POST /v1/things`: removed', operation({}), empty],
    ['harmless `POST /v1/things`: added', empty, operation({})],
    ['breaking `POST /v1/things`: operationId makeThing → createThing', operation({}), operation({ operationId: 'createThing' })],
    ['harmless `POST /v1/things`: deprecated', operation({}), operation({ deprecated: true })],
    ['breaking `POST /v1/things`: needs a key', operation({ security: [] }), operation({})],
    ['harmless `POST /v1/things`: needs no key', operation({}), operation({ security: [] })],
    ['breaking `POST /v1/things parameters.limit` (request): removed', operation(parameter(whole)), operation({})],
    ['harmless `POST /v1/things parameters.limit` (request): added', operation({}), operation(parameter(whole))],
    ['breaking `POST /v1/things parameters.limit` (request): added, required', operation({}), operation(parameter(whole, true))],
    [
      'breaking `POST /v1/things parameters.limit` (request): maximum 100 → 50',
      operation(parameter(whole)),
      operation(parameter({ ...whole, maximum: 50 })),
    ],
    ['breaking `POST /v1/things` (request): application/json removed', operation({}), operation({ requestBody: { content: {} } })],
    ['harmless `POST /v1/things` (request): application/json added', operation({ requestBody: { content: {} } }), operation({})],
    ['breaking `POST /v1/things 200` (response): removed', operation({}), operation({ responses: { 400: json(ref('Thing')) } })],
    ['harmless `POST /v1/things 400` (error): removed', operation({}), operation({ responses: { 200: json(ref('Thing')) } })],
    ['harmless `POST /v1/things 201` (response): added', operation({ responses: {} }), operation({ responses: { 201: json({}) } })],
    [
      'breaking `POST /v1/things 200` (response): header x-cost removed',
      operation({ responses: { 200: { headers: { 'x-cost': {} } } } }),
      operation({ responses: { 200: {} } }),
    ],
    [
      'harmless `POST /v1/things 200` (response): header x-cost added',
      operation({ responses: { 200: {} } }),
      operation({ responses: { 200: { headers: { 'x-cost': {} } } } }),
    ],
    ['breaking `POST /v1/things 200` (response): application/json removed', operation({}), operation({ responses: { 200: {}, 400: {} } })],
  ])('gets the line: %s', (line, before, after) => {
    expect(compare(before, after)).toContain(line);
  });
});

it('keeps everything that the next comparison compares, and no prose', () => {
  const today: JsonSchema = JSON.parse(JSON.stringify(buildDocument()));
  const kept = JSON.parse(JSON.stringify(withoutProse(today)));
  expect(compareDocuments(kept, today)).toEqual([]);
  expect(compareDocuments(today, kept)).toEqual([]);
  expect(JSON.stringify(kept).length).toBeLessThan(JSON.stringify(today).length / 2);
  expect(Object.keys(JSON.parse(readFileSync(released, 'utf8')))).toEqual(Object.keys(kept));
});

it('compares placeholders for newer types, which the published document omits', () => {
  const open: JsonSchema = JSON.parse(JSON.stringify(buildDocument(true)));
  expect(compareDocuments(JSON.parse(readFileSync(released, 'utf8')), open).filter(({ line }) => line.includes('Unknown'))).toEqual([]);
  const lines = linesOf(compareDocuments(open, JSON.parse(JSON.stringify(buildDocument()))));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => !/: \w*Unknown\w+ removed$/.test(line))).toEqual([]);
});
