/** The shape of all OpenAPI documents, counted: what stops a code generator is at none, and does not come back. */
import { expect, test } from 'vitest';
import { buildAdminDocument } from '../../docs/generate/admin-openapi.ts';
import { reasons } from '../../docs/generate/openapi/discriminator.ts';
import { buildDocument } from '../../docs/generate/openapi.ts';
import { buildPortalDocument } from '../../docs/generate/portal-openapi.ts';
import { foreignPatterns, namelessMembers, repeatedShapes, takenNames, unsaidUnions } from './document/structure.ts';

const callers = buildDocument().components.schemas;
const operators = buildAdminDocument().components.schemas;
const holders = buildPortalDocument().components.schemas;
const documents = [
  { reader: 'callers', schemas: callers },
  { reader: 'operators', schemas: operators },
  { reader: 'key owners', schemas: holders },
];

test.each(documents)('gives generators discriminated unions and named shapes in the document for $reader', ({ schemas }) => {
  expect(unsaidUnions(schemas)).toEqual([]);
  expect(namelessMembers(schemas)).toEqual([]);
  expect(repeatedShapes(schemas)).toEqual([]);
});

test.each(documents)('avoids names that a language reserves in the document for $reader', ({ schemas }) => {
  expect(takenNames(schemas)).toEqual([]);
  expect(foreignPatterns(schemas)).toEqual([]);
});

test('gives a reason only for unions without a discriminator', () => {
  const all = { ...callers, ...operators, ...holders };
  expect(Object.keys(reasons).filter((name) => all[name] === undefined || 'discriminator' in all[name])).toEqual([]);
});
