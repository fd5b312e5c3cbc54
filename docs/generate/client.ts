/** Writes the client's generated files, types and route table, from the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { newerType, type TypeNames, TypeWriter, typeName } from './client/typescript.ts';
import { collectComponents } from './openapi/components.ts';
import { isObject, type JsonSchema } from './openapi/json-schema.ts';
import { buildDocument } from './openapi.ts';
import { type Output, publish } from './output.ts';

const HEAD = '// Generated from the contract by `node docs/generate/client.ts`; do not edit.\n';

/**
 * Schemas without a type in types.gen.ts. Forms use the client's own `ImageEditUpload`, because its files aren't strings. Error bodies by
 * operation and status have their own file; all of them match `ErrorBody`.
 */
const isUnused = (name: string) => name === 'ImageEditForm' || /.Error(?:Body|Detail)$/.test(name);

const part = (value: unknown, ...path: string[]): JsonSchema =>
  path.reduce<JsonSchema>(
    (object, key) => {
      const inner = object[key];
      return isObject(inner) ? inner : {};
    },
    isObject(value) ? value : {},
  );
const content = ['content', 'application/json', 'schema'];
const componentOf = (schema: JsonSchema) => String(schema.$ref ?? '').replace(/^.*\//, '');

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly answer: string;
  readonly event: string;
}

function listOperations(document: JsonSchema): Operation[] {
  return Object.entries(part(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(part(methods)).map(([method, operation]) => ({
      name: String(part(operation).operationId),
      method: method.toUpperCase(),
      path,
      answer: componentOf(part(operation, 'responses', '200', ...content)),
      event: componentOf(part(operation, 'responses', '200', 'content', 'text/event-stream', 'schema')),
    })),
  );
}

/** Returns the event types that can end a stream. For events without a type, returns `[DONE]`. */
function endsOf(event: string, schemas: JsonSchema): string[] {
  if (event === '') return [];
  const mapping = Object.keys(part(schemas, event, 'discriminator', 'mapping'));
  return mapping.length === 0 ? ['[DONE]'] : mapping.filter((type) => /^\w+\.(completed|incomplete|failed)$/.test(type));
}

function writeRoutes(operations: readonly Operation[], schemas: JsonSchema, version: string): string {
  const rows = operations.map(({ name, method, path, event }) => {
    const ends = endsOf(event, schemas)
      .map((end) => `'${end}'`)
      .join(', ');
    return `  ${name}: { method: '${method}', path: '${path}'${ends && `, ends: [${ends}]`} },\n`;
  });
  return `/** The routes of the contract, each with its path below the origin, and the version of this package. */
${HEAD}
export interface Route {
  readonly method: string;
  readonly path: string;
  /** What a stream must end with: the type of an event, or only its data. Omitted for operations without streams. */
  readonly ends?: readonly string[];
}

const table = {
${rows.join('')}} satisfies Readonly<Record<string, Route>>;

export const routes: Readonly<Record<keyof typeof table, Route>> = table;

export const version = '${version}';
`;
}

/** Renames types that have the name of a global: `Response` (fetch) and `ErrorEvent` (browsers). */
function namesFor(operations: readonly Operation[]): TypeNames {
  const answered = operations.find(({ name }) => name === 'createResponse')?.answer;
  if (!answered) throw new Error('The document has no component for the response of createResponse.');
  return { [answered]: 'ModelResponse', ErrorEvent: 'ResponseErrorEvent' };
}

function writeTypes(operations: readonly Operation[], schemas: JsonSchema): string {
  const names = namesFor(operations);
  const writer = new TypeWriter(names);
  const declarations = Object.entries(schemas)
    .filter(([name]) => !isUnused(name))
    .sort(([a], [b]) => (typeName(a, names) < typeName(b, names) ? -1 : 1))
    .map(([name, schema]) => writer.writeDeclaration(name, part(schema)));
  return `/** The types of the contract: requests and responses. */\n${HEAD}\n${newerType}\n${declarations.join('\n')}`;
}

/** Returns the schemas of `ErrorBody`, the common shape of all error bodies. */
function errorSchemas(): JsonSchema {
  const components = collectComponents();
  components.add(ErrorBody);
  return components.all();
}

export function clientOutputs(): Output[] {
  const document: unknown = buildDocument(true);
  const schemas = { ...part(document, 'components', 'schemas'), ...errorSchemas() };
  const operations = listOperations(part(document));
  const { version } = JSON.parse(readFileSync(new URL('../../client/sdk/package.json', import.meta.url), 'utf8'));
  return [
    { path: '../../client/sdk/src/types.gen.ts', text: writeTypes(operations, schemas) },
    { path: '../../client/sdk/src/routes.gen.ts', text: writeRoutes(operations, schemas, version) },
  ];
}

if (import.meta.main) for (const output of clientOutputs()) publish(output);
