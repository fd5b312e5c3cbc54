/** Runs the tools that a model calls, and sends the results back until the model responds without a call. */
import type { Modelgate, Whole } from './client.ts';
import { ModelgateError, ParseError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { jsonSchemaOf, parse, type StandardJsonSchema, type StandardSchema } from './schema.ts';
import type { FunctionCall, FunctionCallOutput, FunctionTool, InputItem, ModelResponse, ResponseRequest } from './types.gen.ts';

/** The context of a tool call, in addition to its arguments. */
export interface ToolCallInfo {
  /** The ID of this call (`call_id`), the same in the call and in its result. */
  readonly callId: string;
  /** The loop's signal, for work that can be canceled. */
  readonly signal: AbortSignal | undefined;
}

/** The definition of a tool. */
export interface ToolOptions<Input> {
  /** Letters, digits, `_` and `-`; at most 128. */
  readonly name: string;
  /** What the tool does and when the model should use it. */
  readonly description?: string | undefined;
  /** The schema of the arguments, which are checked before `run` gets them. */
  readonly schema: StandardSchema<Input>;
  /** JSON Schema for the arguments. Omit if the library of `schema` can write it (zod 4.2 and later). */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the model must follow the schema exactly; then every field must be required. Defaults to false. */
  readonly strict?: boolean | undefined;
  /** Runs the tool. A string result is sent to the model unchanged, anything else as JSON. An error ends the loop. */
  readonly run: (input: Input, call: ToolCallInfo) => unknown;
}

/** A tool that `runTools` can run; `tool()` creates it. */
export interface LocalTool {
  readonly definition: FunctionTool;
  /** Validates and runs the arguments as the model wrote them. Rejects with a `ParseError` if they don't match. */
  readonly call: (written: string, info: ToolCallInfo) => Promise<unknown>;
}

/** Options of the loop. The options of a call apply to each request. */
export interface ToolLoopOptions extends Omit<RequestOptions, 'idempotencyKey'> {
  readonly tools: readonly LocalTool[];
  /** Maximum number of requests to send. Defaults to 10. */
  readonly maxRounds?: number | undefined;
  /** Called with every response, including the last one: for a log, or to add up the usage. */
  readonly onRound?: ((response: ModelResponse) => void) | undefined;
}

const isJsonSchema = (schema: object): schema is StandardJsonSchema => {
  // `as`: any object can be read, and the fields are checked below.
  const standard = (schema as { readonly '~standard'?: { readonly jsonSchema?: unknown } })['~standard'];
  return standard?.jsonSchema !== undefined;
};

/**
 * Creates a tool for `runTools`. Arguments that don't match `schema` never reach `run`: the model gets the mismatches and can call again.
 *
 * @see README.md, “Tools”
 * @throws ModelgateError immediately if `parameters` is omitted and the library of `schema` can't write it.
 */
export function tool<Input>({ name, description, schema, parameters, strict = false, run }: ToolOptions<Input>): LocalTool {
  if (!parameters && !isJsonSchema(schema)) {
    throw new ModelgateError(`The tool ${name} needs \`parameters\`: its schema cannot write itself as a JSON schema.`);
  }
  const written = parameters ?? (isJsonSchema(schema) ? jsonSchemaOf(schema) : {});
  return {
    definition: { type: 'function', name, description, parameters: written, strict },
    call: async (text, info) => run(await parse(text, schema), info),
  };
}

/** Undefined if the response is final: it has no calls, it isn't complete, or it calls a tool that isn't in `tools`. */
function findCalls({ output, status }: ModelResponse, tools: readonly LocalTool[]): FunctionCall[] | undefined {
  const calls = output.flatMap((item) => (item.type === 'function_call' || item.type === 'custom_tool_call' ? [item] : []));
  const known = calls.filter((call) => call.type === 'function_call' && tools.some(({ definition }) => definition.name === call.name));
  if (calls.length === 0 || known.length < calls.length || status === 'incomplete' || status === 'failed') return undefined;
  // `as`: `known` contains only function calls.
  return known as FunctionCall[];
}

async function runCall(call: FunctionCall, { tools, signal }: ToolLoopOptions): Promise<FunctionCallOutput> {
  const callee = tools.find(({ definition }) => definition.name === call.name);
  let output: unknown;
  try {
    output = await callee?.call(call.arguments || '{}', { callId: call.call_id, signal });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    output = `Error: ${error.message}`;
  }
  return {
    type: 'function_call_output',
    call_id: call.call_id,
    output: typeof output === 'string' ? output : JSON.stringify(output ?? null),
  };
}

/** Uses a choice that requires a call only for the first request. Otherwise, the model could never respond with text. */
const getNextToolChoice = (choice: ResponseRequest['tool_choice']) =>
  choice === 'required' || (typeof choice === 'object' && choice?.type === 'function') ? 'auto' : choice;

/**
 * Sends a request, runs all tool calls of the response concurrently, and continues with their results until the model makes no more calls.
 * Every request has the complete conversation, so nothing needs to be stored. Resolves with the last response. An incomplete response,
 * and one that calls a tool which isn't in `tools`, also ends the loop.
 *
 * @see README.md, “Tools”
 * @throws ModelgateError if the model still calls tools after `maxRounds` requests; any error that a tool or `createResponse` throws.
 */
export async function runTools(client: Modelgate, request: Whole<ResponseRequest>, options: ToolLoopOptions): Promise<ModelResponse> {
  const { tools, maxRounds = 10, onRound, ...callOptions } = options;
  const { input, tool_choice } = request;
  const items: InputItem[] = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : [...input];
  const definitions = [...(request.tools ?? []), ...tools.map(({ definition }) => definition)];
  for (let round = 1; ; round++) {
    const choice = round === 1 ? tool_choice : getNextToolChoice(tool_choice);
    const body = { ...request, input: items, tools: definitions, tool_choice: choice, stream: false } as const;
    const response = await client.createResponse(body, callOptions);
    onRound?.(response);
    const calls = findCalls(response, tools);
    if (!calls) return response;
    if (round >= maxRounds) throw new ModelgateError(`The model still calls tools after ${round} requests.`);
    const results = await Promise.all(calls.map((call) => runCall(call, options)));
    // `as`: the gateway accepts every item that it has returned.
    items.push(...(response.output as InputItem[]), ...results);
  }
}
