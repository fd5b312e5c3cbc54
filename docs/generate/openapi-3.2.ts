/** Writes docs/generated/openapi-3.2.json: the callers' document in OpenAPI 3.2, which has keywords for streams. */
import { contract, type RouteMetadata } from '../../contract/index.ts';
import { isObject, type JsonSchema } from './openapi/json-schema.ts';
import { buildDocument } from './openapi.ts';
import { type Output, publish } from './output.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;
const STREAM = 'text/event-stream';
const DONE = 'The stream ends with `data: [DONE]`, which has no `event` and no JSON.';

/** Returns the schema of a server-sent event with this data. For events with a type, `event` repeats it. */
function eventOf(schema: JsonSchema, schemas: Schemas, isDone: boolean): JsonSchema {
  const { discriminator } = schemas[String(schema.$ref).replace(/^.*\//, '')] ?? {};
  const names = isObject(discriminator) && isObject(discriminator.mapping) ? Object.keys(discriminator.mapping) : [];
  const event = { description: 'The type of the event, as in its data.', type: 'string', enum: names };
  const data = { description: 'The event as JSON.', type: 'string', contentMediaType: 'application/json', contentSchema: schema };
  return {
    type: 'object',
    description: `One server-sent event.${isDone ? ` ${DONE}` : ''}`,
    required: [...(names.length > 0 && !isDone ? ['event'] : []), 'data'],
    properties: { ...(names.length > 0 && { event }), data },
  };
}

/**
 * Converts a stream to OpenAPI 3.2. Version 3.1 has no keyword for event schemas or serialized examples, so our document uses `schema` and
 * `value`.
 */
function streamOf({ schema, examples }: JsonSchema, schemas: Schemas, isDone: boolean): JsonSchema {
  if (!isObject(schema) || !isObject(examples)) throw new Error('A stream of the document has no schema or no examples.');
  const transcripts = Object.entries(examples).map(([name, example]) => {
    const { value, ...rest } = isObject(example) ? example : {};
    return [name, { ...rest, serializedValue: value }];
  });
  return { itemSchema: eventOf(schema, schemas, isDone), examples: Object.fromEntries(transcripts) };
}

/** Returns the document in OpenAPI 3.2. Only the version and the streams differ from 3.1. */
export function buildTwin() {
  const document = buildDocument();
  const { schemas } = document.components;
  const routes: readonly { readonly path: string; readonly method: string; readonly metadata: RouteMetadata }[] = Object.values(contract);
  const paths = structuredClone<Record<string, JsonSchema>>(document.paths);
  for (const { path, method, metadata } of routes.filter((route) => route.metadata.sse)) {
    const address = path.replace(/:(\w+)/g, '{$1}');
    const content = part(paths, address, method.toLowerCase(), 'responses', '200', 'content');
    Object.assign(content, { [STREAM]: streamOf(part(content, STREAM), schemas, metadata.done === true) });
  }
  return { ...document, openapi: '3.2.0', paths };
}

const part = (value: JsonSchema, ...path: string[]): JsonSchema =>
  path.reduce((object, key) => {
    const inner = object[key];
    if (!isObject(inner)) throw new Error(`The document has no '${key}' at ${path.join(' ')}.`);
    return inner;
  }, value);

export const twinOutput = (): Output => ({ path: '../generated/openapi-3.2.json', text: `${JSON.stringify(buildTwin(), null, 2)}\n` });

if (import.meta.main) publish(twinOutput());
