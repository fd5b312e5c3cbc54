/** Output that follows a schema: any library with the Standard Schema interface (zod, valibot, arktype, …), without depending on one. */
import { ParseError, type SchemaIssue } from './errors.ts';
import { parseJson } from './fields.ts';
import { chatText, outputText } from './text.ts';
import type { ChatCompletion, ModelResponse } from './types.gen.ts';

/** A schema of any library that has the interface of https://standardschema.dev: `~standard` checks a value, and gives its type. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}
type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** A schema that can also be written as a JSON schema, as those of zod 4.2 and later can. */
export interface StandardJsonSchema {
  readonly '~standard': {
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> };
  };
}

const placeOf = ({ path = [] }: SchemaIssue) =>
  path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.') || 'the value';

const textOf = (answer: string | ModelResponse | ChatCompletion): string => {
  if (typeof answer === 'string') return answer;
  return 'output' in answer ? outputText(answer) : chatText(answer);
};

/**
 * The JSON that a model wrote, parsed by the schema: from a response, a chat completion, or a string.
 *
 * @see README.md, “Responses that follow a schema”
 * @throws ParseError if it isn't JSON (a refusal, or a response that reached its limit) or doesn't match; see `issues` and `text`.
 */
export async function parse<Output>(answer: string | ModelResponse | ChatCompletion, schema: StandardSchema<Output>): Promise<Output> {
  const text = textOf(answer);
  const value = parseJson(text);
  if (value === undefined) throw new ParseError(`The model did not write JSON: ${text.slice(0, 300) || 'it wrote no text.'}`, text);
  const result = await schema['~standard'].validate(value);
  if (!result.issues) return result.value;
  const found = result.issues.map((issue) => `${placeOf(issue)}: ${issue.message}`).join('; ');
  throw new ParseError(`What the model wrote does not fit the schema: ${found}`, text, result.issues);
}

const holdSchemas = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf'];
const holdNamedSchemas = ['properties', '$defs'];

/** Strict schemas name every field; the input side of a schema doesn't say that there are no others. */
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
 * The JSON schema that a model must follow, for `text.format.schema`, `response_format.json_schema.schema`, or `parameters` of a tool.
 * Objects are closed, as `strict: true` requires.
 *
 * @see README.md, “Responses that follow a schema”
 * @throws whatever the library throws for a schema that JSON Schema can't express.
 */
export function jsonSchemaOf(schema: StandardJsonSchema): Record<string, unknown> {
  const { $schema: _, ...written } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  // An object goes in, and an object comes out.
  return close(written) as Record<string, unknown>;
}
