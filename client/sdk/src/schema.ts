/** Structured output with any Standard Schema library (zod, valibot, arktype, …), without a dependency on one. */
import type { Modelgate, Whole } from './client.ts';
import { ParseError, type SchemaIssue } from './errors.ts';
import { parseJson } from './fields.ts';
import type { RequestOptions } from './options.ts';
import { chatText, outputText } from './text.ts';
import type { ChatCompletion, ChatCompletionRequest, ModelResponse, ResponseRequest } from './types.gen.ts';

/** A schema of any library with the interface of https://standardschema.dev: `~standard` validates a value and provides its type. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}
type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** A schema that can be converted to JSON Schema, such as those of zod 4.2 and later. */
export interface StandardJsonSchema {
  readonly '~standard': {
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> };
  };
}

const formatIssuePath = ({ path = [] }: SchemaIssue) =>
  path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.') || 'the value';

const getOutputText = (answer: string | ModelResponse | ChatCompletion): string => {
  if (typeof answer === 'string') return answer;
  return 'output' in answer ? outputText(answer) : chatText(answer);
};

/**
 * Parses the JSON that a model wrote with a schema. Accepts a response, a chat completion, or a string.
 *
 * @see README.md, “Responses that follow a schema”
 * @throws ParseError if the text isn't JSON (a refusal, or a response that reached its limit) or doesn't match. See `issues` and `text`.
 */
export async function parse<Output>(answer: string | ModelResponse | ChatCompletion, schema: StandardSchema<Output>): Promise<Output> {
  const text = getOutputText(answer);
  const value = parseJson(text);
  if (value === undefined) throw new ParseError(`The model did not write JSON: ${text.slice(0, 300) || 'it wrote no text.'}`, text);
  const result = await schema['~standard'].validate(value);
  if (!result.issues) return result.value;
  const found = result.issues.map((issue) => `${formatIssuePath(issue)}: ${issue.message}`).join('; ');
  throw new ParseError(`What the model wrote does not fit the schema: ${found}`, text, result.issues);
}

const holdSchemas = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf'];
const holdNamedSchemas = ['properties', '$defs'];

/** Sets `additionalProperties: false` on every object, as strict mode requires. Libraries don't write it for the input side of a schema. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([key, value]) => {
    if (holdNamedSchemas.includes(key)) return [key, closeEach(value)];
    return [key, holdSchemas.includes(key) ? close(value) : value];
  });
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(inner), ...(isOpen && { additionalProperties: false }) };
}

const closeEach = (schemas: object) => Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, close(schema)]));

/**
 * Returns the JSON schema that a model must follow, for `text.format.schema`, `response_format.json_schema.schema`, or a tool's
 * `parameters`.
 * Objects are closed, as `strict: true` requires.
 *
 * @see README.md, “Responses that follow a schema”
 * @throws the library's error if JSON Schema can't express the schema.
 */
export function jsonSchemaOf(schema: StandardJsonSchema): Record<string, unknown> {
  const { $schema: _, ...written } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  // `as`: for an object, `close` returns an object.
  return close(written) as Record<string, unknown>;
}

/** Options of a call whose output follows a schema. */
export interface ParsedOptions extends RequestOptions {
  /** The name of the format, which the model sees: letters, digits, `_`, and `-`; at most 64. Defaults to `output`. */
  readonly name?: string | undefined;
}

/** A response with its parsed value. */
export interface Parsed<Output, Answer> {
  readonly parsed: Output;
  readonly response: Answer;
}

/**
 * Creates a response that must follow a schema, and parses it: `createResponse` with the strict format of `jsonSchemaOf`, then `parse`.
 *
 * @see README.md, “Responses that follow a schema”
 * @throws ParseError for a refusal, a response that reached its limit, and text that doesn't match.
 * @example
 * const { parsed, response } = await createParsedResponse(client, { model: 'gpt-5.4', input: 'Name a city.' }, City, { name: 'city' });
 */
export async function createParsedResponse<Output>(
  client: Modelgate,
  request: Whole<ResponseRequest>,
  schema: StandardSchema<Output> & StandardJsonSchema,
  { name = 'output', ...options }: ParsedOptions = {},
): Promise<Parsed<Output, ModelResponse>> {
  const format = { type: 'json_schema', name, strict: true, schema: jsonSchemaOf(schema) } as const;
  const response = await client.createResponse({ ...request, text: { ...request.text, format }, stream: false }, options);
  return { parsed: await parse(response, schema), response };
}

/**
 * Creates a chat completion that must follow a schema, and parses it. Like `createParsedResponse`, for code that uses chat.
 *
 * @see README.md, “Responses that follow a schema”
 * @throws ParseError for a refusal, a completion that reached its limit, and text that doesn't match.
 */
export async function createParsedCompletion<Output>(
  client: Modelgate,
  request: Whole<ChatCompletionRequest>,
  schema: StandardSchema<Output> & StandardJsonSchema,
  { name = 'output', ...options }: ParsedOptions = {},
): Promise<Parsed<Output, ChatCompletion>> {
  const format = { type: 'json_schema', json_schema: { name, strict: true, schema: jsonSchemaOf(schema) } } as const;
  const response = await client.createChatCompletion({ ...request, response_format: format, stream: false }, options);
  return { parsed: await parse(response, schema), response };
}
