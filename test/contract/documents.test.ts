/** The OpenAPI documents for callers, operators and key owners: each operation with its name, its tag and exactly its errors. */
import { describe, expect, test } from 'vitest';
import { adminErrors } from '../../contract/admin/errors.ts';
import { adminContract } from '../../contract/admin/index.ts';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { operationErrors } from '../../contract/operation-errors.ts';
import { portalErrors } from '../../contract/portal/errors.ts';
import { portalContract } from '../../contract/portal/index.ts';
import { buildAdminDocument } from '../../docs/generate/admin-openapi.ts';
import { buildDocument } from '../../docs/generate/openapi.ts';
import { buildPortalDocument } from '../../docs/generate/portal-openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly content: Record<string, { examples?: object }> }>>;
}
interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}

type Routes = Readonly<Record<string, { readonly method: string; readonly path: string; readonly metadata: { readonly tag: string } }>>;
type Errors = Readonly<Record<string, readonly ErrorCode[]>>;

const describeDocument = (reader: string, built: object, routes: Routes, errors: Errors) => {
  // What is published: the document as JSON.
  const document: Document = JSON.parse(JSON.stringify(built));
  const operations = Object.entries(routes).map(([name, { method, path, metadata }]) => ({
    name,
    tag: metadata.tag,
    operation: document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? expect.fail(name),
  }));

  describe(`the document for ${reader}`, () => {
    test.each(operations)('describes $name with its tag, a request ID, and exactly its errors', ({ name, tag, operation }) => {
      expect([operation.operationId, operation.tags]).toEqual([name, [tag]]);
      expect(document.tags.map((one) => one.name)).toContain(tag);
      for (const { headers } of Object.values(operation.responses)) expect(headers).toHaveProperty('x-request-id');
      const { 200: _good, ...bad } = operation.responses;
      const shown = Object.entries(bad).flatMap(([status, { content }]) => {
        const codes = Object.keys(content['application/json']?.examples ?? {});
        expect(codes, status).not.toEqual([]);
        return codes.map((code) => [code, Number(status), document.components.examples[code]?.value]);
      });
      const expected = [...new Set(errors[name])].map((code) => {
        const { status, type } = errorTable[code];
        return [code, status, { error: expect.objectContaining({ code, type }) }];
      });
      expect(shown.toSorted()).toEqual(expected.toSorted());
    });

    test('repeats no definitions of JSON Schema', () => {
      expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema/);
    });
  });
};

describeDocument('callers', buildDocument(), contract, operationErrors);
describeDocument('operators', buildAdminDocument(), adminContract, adminErrors);
describeDocument('key owners', buildPortalDocument(), portalContract, portalErrors);
