/** Writes docs/openapi.json from the contract; the only importer of @ts-rest/open-api (specification part 4). */
import { readFileSync } from 'node:fs';
import { generateOpenApi } from '@ts-rest/open-api';
import { z } from 'zod';
import { errorCodes } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import { errorExample } from './examples/errors.ts';
import { collectComponents } from './openapi/components.ts';
import { openDocument, securitySchemes } from './openapi/document.ts';
import { meaningOf } from './openapi/errors.ts';
import { spellOutFiles } from './openapi/form.ts';
import { headers } from './openapi/headers.ts';
import type { JsonSchema } from './openapi/json-schema.ts';
import { describeOperation, type OperationName } from './openapi/operation.ts';
import { samplesOf } from './openapi/samples.ts';
import { type Output, publish } from './output.ts';

const isOperation = (name: string): name is OperationName => Object.hasOwn(contract, name);

/** The document as an object, ready for JSON. */
export function buildDocument() {
  const components = collectComponents();
  const { openapi, ...document } = openDocument(readVersion());
  const generated = generateOpenApi(contract, document, {
    setOperationId: true,
    schemaTransformer: ({ schema }) => (schema instanceof z.ZodType ? components.add(schema) : null),
    operationMapper: (operation, _route, name) => {
      if (!isOperation(name)) throw new Error(`${name} is not an operation of the contract.`);
      const { summary, description, operationId, parameters = [] } = operation;
      const ours = describeOperation({ name, route: contract[name], components }, samplesOf(name));
      return { operationId, summary, description, ...(parameters.length > 0 && { parameters }), ...ours };
    },
  });
  return { openapi, ...document, paths: generated.paths, components: shared(components.all()) };
}

function shared(schemas: Readonly<Record<string, JsonSchema>>) {
  const form = schemas.ImageEditForm;
  if (form === undefined) throw new Error('The contract has lost its form of an edit.');
  const examples = errorCodes.map((code) => [code, { summary: meaningOf(code), value: errorExample(code) }]);
  return {
    schemas: { ...schemas, ImageEditForm: spellOutFiles(form) },
    securitySchemes,
    headers,
    examples: Object.fromEntries(examples),
  };
}

function readVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}

/** The file as it is checked in. */
export const openapiOutput = (): Output => ({ path: 'openapi.json', text: `${JSON.stringify(buildDocument(), null, 2)}\n` });

if (import.meta.main) publish(openapiOutput());
