/** The documents as text: whoever has a name in front of him and wonders finds out there, and no field or shape goes without. */
import { describe, expect, test } from 'vitest';
import { buildAdminDocument } from '../../docs/generate/admin-openapi.ts';
import type { JsonSchema } from '../../docs/generate/openapi/json-schema.ts';
import { buildDocument } from '../../docs/generate/openapi.ts';
import { findGaps } from './descriptions/missing.ts';

/** As readers get it. */
const asRead = (document: object): JsonSchema => JSON.parse(JSON.stringify(document));

describe.each([
  { title: 'the document of the callers', document: asRead(buildDocument()) },
  { title: 'the document of the operators', document: asRead(buildAdminDocument()) },
])('$title', ({ document }) => {
  const gaps = findGaps(document);

  test('explains every schema', () => {
    expect(gaps.schemas.total).toBeGreaterThan(50);
    expect(gaps.schemas.missing).toEqual([]);
  });

  test('explains every property, also of schemas without a name', () => {
    expect(gaps.properties.total).toBeGreaterThan(300);
    expect(gaps.properties.missing).toEqual([]);
  });

  test('explains every unnamed member of a union', () => {
    expect(gaps.branches.missing).toEqual([]);
  });

  test('explains every parameter and every header', () => {
    expect(gaps.parameters.total).toBeGreaterThan(20);
    expect(gaps.parameters.missing).toEqual([]);
  });

  test('says what absence or null means for each field that may be absent or null', () => {
    expect(gaps.absences.total).toBeGreaterThan(100);
    expect(gaps.absences.missing).toEqual([]);
  });

  test('marks exactly the fields that its text calls deprecated', () => {
    expect(gaps.deprecated.missing).toEqual([]);
  });

  test('explains in whole sentences that say more than the name', () => {
    expect(gaps.curt.missing).toEqual([]);
  });
});

describe('a missing explanation is found', () => {
  const gapsOf = (property: object) => {
    const shape = { type: 'object', description: 'A shape.', required: ['field'], properties: { field: property } };
    return findGaps({ components: { schemas: { Shape: { anyOf: [{ type: 'array', items: shape }], description: 'Some shapes.' } } } });
  };
  const described = { type: 'string', description: 'Says something.' };

  test('a complete document has no findings', () => {
    expect(Object.values(gapsOf(described)).flatMap(({ missing }) => missing)).toEqual([]);
  });

  test.each([
    { kind: 'properties', property: { type: 'string' } },
    { kind: 'properties', property: { $ref: '#/components/schemas/Described' } },
    { kind: 'absences', property: { ...described, type: ['string', 'null'] } },
    { kind: 'absences', property: { ...described, anyOf: [{ $ref: '#/components/schemas/Described' }, { type: 'null' }] } },
    { kind: 'deprecated', property: { type: 'string', description: 'Deprecated: use another.' } },
    { kind: 'deprecated', property: { ...described, deprecated: true } },
    { kind: 'branches', property: { ...described, anyOf: [{ type: 'string' }, { type: 'object' }] } },
    { kind: 'curt', property: { type: 'string', description: 'The field.' } },
    { kind: 'curt', property: { type: 'string', description: 'no sentence' } },
    { kind: 'curt', property: { type: ['string', 'null'], description: 'Null where there is nothing.' } },
  ] as const)('of the kind $kind in $property', ({ kind, property }) => {
    expect(gapsOf(property)[kind].missing).toEqual(['Shape.field']);
  });

  test('in a schema, a parameter and a header', () => {
    const operation = { parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }] };
    const gaps = findGaps({ paths: { '/list': { get: operation } }, components: { schemas: { Shape: {} }, headers: { 'x-id': {} } } });
    expect(gaps.schemas.missing).toEqual(['Shape']);
    expect(gaps.parameters.missing).toEqual(['get /list page', 'x-id']);
    expect(gaps.absences.missing).toEqual(['get /list page']);
  });
});
