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

  test.each([
    ['every schema', 'schemas', 50],
    ['every property, also of schemas without a name', 'properties', 300],
    ['every unnamed member of a union', 'branches', 0],
    ['every parameter and every header', 'parameters', 20],
    ['what absence or null means for each field that may be absent or null', 'absences', 100],
    ['which fields are deprecated, by mark and text alike', 'deprecated', 0],
    ['each in whole sentences that say more than the name', 'curt', 0],
  ] as const)('explains %s', (_what, kind, least) => {
    expect(gaps[kind].total).toBeGreaterThanOrEqual(least);
    expect(gaps[kind].missing).toEqual([]);
  });
});
