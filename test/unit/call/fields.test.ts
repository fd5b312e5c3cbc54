/** Each optional field of a text call over each kind of upstream is sent, rejected, or left out and named, as the document says. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { isObject } from '../../../docs/generate/openapi/json-schema.ts';
import { buildDocument } from '../../../docs/generate/openapi.ts';
import { openTranscoder } from '../../../server/call/transcoder.ts';
import { Quirks } from '../../../server/config/schema-upstreams.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { type Body, type Fate, fieldRows, kinds, type Row } from '../../fixtures/fields.ts';
import type { Caller } from '../../harness/pairs.ts';
import { placeAt } from './places.ts';

const callers = {
  chat: {
    operation: 'createChatCompletion',
    schema: ChatCompletionRequest,
    hello: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
  },
  responses: { operation: 'createResponse', schema: ResponseRequest, hello: { model: 'm', input: 'hello' } },
} as const;

const beyond = ['web_search_options', 'seed', 'n'] as const;
/** A chat vendor that supports little. */
const humble = Quirks.parse({ hints: false, streamUsage: false, reasoningEffort: 'ignore', unsupported: beyond });

interface Passed {
  /** Path and body. */
  readonly sent: string;
  readonly dropped: readonly string[];
}

/** What goes out, or the error of a call that is rejected. */
function pass(caller: Caller, kind: (typeof kinds)[number], value: Body, quirks?: typeof humble): Passed | GatewayError {
  const model = placeAt('u', {
    protocols: [kind],
    fields: { allow: [], deny: [] },
    quirks,
    ...(kind === 'responses' && { compacts: true }),
  });
  const head = () => ({ id: 'a', createdAt: 0, model: 'm', request: value, newId: (prefix: string) => prefix, now: () => 0 });
  try {
    const {
      body,
      path = '',
      dropped,
    } = openTranscoder({ operation: callers[caller].operation, body: createJsonBody(value) }, model, {
      createHead: head,
      sealSummary: (summary) => summary,
    });
    if (body.kind !== 'json') throw new Error('A text call went out as a form.');
    return { sent: `${path} ${body.bytes}`, dropped };
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status === 400) return thrown;
    throw thrown;
  }
}

interface Call {
  readonly value: Body;
  /** The same call without the field. */
  readonly plain: Body;
  /** A field that is left out is one of these, or inside of one. */
  readonly roots: readonly string[];
}

function fateOf(
  caller: Caller,
  kind: (typeof kinds)[number],
  call: Call,
  { mark = '', expected, quirks }: Looked = {},
): string | readonly string[] {
  const passed = pass(caller, kind, call.value, quirks);
  const without = pass(caller, kind, call.plain, quirks);
  const isOfCall = (name: string): boolean => call.roots.some((root) => name.startsWith(root)) && hasPlace(call.value, name);
  if (passed instanceof GatewayError) return isOfCall(passed.param ?? '') ? 'rejected' : `rejected for ${passed.param}`;
  const isSame = !(without instanceof GatewayError) && passed.sent === without.sent;
  if (isSame) return passed.dropped.some(isOfCall) ? 'left out' : 'unnamed';
  if (Array.isArray(expected)) return expected.filter((text) => passed.sent.includes(text));
  return passed.sent.includes(mark) ? 'sent' : 'changed';
}

/** Whether the call has the item, message or tool that a path such as `input[1].content[0]` begins with. */
function hasPlace(value: Body, path: string): boolean {
  const [, list = '', index] = /^(\w+)\[(\d+)\]/.exec(path) ?? [];
  const items = value[list];
  return index === undefined || (Array.isArray(items) && Number(index) < items.length);
}

interface Looked {
  readonly mark?: string;
  readonly expected?: Fate | undefined;
  readonly quirks?: typeof humble;
}

const PNG = 'data:image/png;base64,aGVsbG8=';
const { schemas } = buildDocument().components;

/** What the document says at a place, and in the components that are named there. */
function textAt(at: string): string {
  const steps = at.split('.').flatMap((name, index) => (index === 0 ? [name] : ['properties', name]));
  const found = steps.reduce<unknown>(
    (value, step) => (isObject(value) ? (value[step] ?? (isObject(value.items) ? value.items[step] : undefined)) : undefined),
    JSON.parse(JSON.stringify(schemas)),
  );
  if (!isObject(found)) throw new Error(`There is no ${at} in the document.`);
  return withNamed(JSON.stringify(found), 2);
}

function withNamed(text: string, depth: number): string {
  const names = depth === 0 ? [] : [...text.matchAll(/#\/components\/schemas\/(\w+)/g)];
  return [text, ...names.map(([, name = '']) => withNamed(JSON.stringify(schemas[name]), depth - 1))].join('\n');
}

const names = { chat: 'ChatCompletionRequest', responses: 'ResponseRequest' } as const;
const optional = {
  chat: optionalFields(ChatCompletionRequest, names.chat),
  responses: optionalFields(ResponseRequest, names.responses),
} as const;

/** The calls of a row, each with the same call without its field; without all that is given where the place isn't an optional field. */
function callsOf(caller: Caller, { at, given, bodies }: Row): readonly Call[] {
  const { hello } = callers[caller];
  const without = bodies(optional[caller].includes(at) ? leaveOut(given, nameOf(at)) : null);
  return bodies(given).map((body, index) => ({
    value: { ...hello, ...body },
    plain: { ...hello, ...without[index] },
    roots: Object.keys(body),
  }));
}

const nameOf = (at: string): string => at.slice(at.lastIndexOf('.') + 1);
const leaveOut = (given: unknown, name: string): unknown =>
  JSON.parse(JSON.stringify(given, (key, value) => (key === name ? undefined : value)));

/** `marker` where the call contains it; or else the last scalar of the field, or the type of the part, item or tool. */
function markOf(caller: Caller, { at, given }: Row): string {
  if (JSON.stringify(given).includes('marker')) return 'marker';
  let found: unknown = /"type":"((?!function"|namespace")\w+)"/.exec(JSON.stringify(given))?.[1];
  if (optional[caller].includes(at))
    JSON.stringify(given, (key, value) => {
      if (key === nameOf(at)) found = value;
      return value;
    });
  return lastOf(found) ?? nameOf(at);
}

function lastOf(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return lastOf(Object.values(value).at(-1));
  return value === undefined ? undefined : String(value);
}

describe.each(['chat', 'responses'] as const)('a %s call', (caller) => {
  const { schema } = callers[caller];
  const rows = fieldRows[caller];

  test.each(rows)('sends, drops, or rejects $at: $call', (row) => {
    if (row.says !== '') expect(textAt(row.at)).toContain(row.says);
    const mark = markOf(caller, row);
    for (const call of callsOf(caller, row)) {
      schema.parse(call.value);
      expect(kinds.map((kind, index) => fateOf(caller, kind, call, { mark, expected: row.fates[index] }))).toEqual(row.fates);
    }
  });

  test('names each omitted field over a chat provider that supports little', () => {
    const isSilent = (call: Call): boolean => fateOf(caller, 'chat', call, { quirks: humble }) === 'unnamed';
    const silent = rows.filter((row) => callsOf(caller, row).some(isSilent)).map(({ call }) => call);
    // A stream with usage is read by the gateway itself, and `none` is what a model does that cannot reason.
    const usage = '"stream_options":{"include_usage":true}';
    const ofChat = ['{"reasoning_effort":"none"}', `{${usage},"stream":true}`, `{"stream":true,${usage}}`];
    expect(silent).toEqual(caller === 'chat' ? ofChat : ['{"client_metadata":{"cwd":"marker"}}']);
  });

  test('covers each optional field of the contract with a row, unless it has no effect', () => {
    const missing = optional[caller].filter((at) => !rows.some((row) => row.at === at) && !/^TokenLogprob|\.(id|status)$/.test(at));
    // The gateway itself uses them.
    const ownFields = [`${names[caller]}.usage`, 'UsageOptions.include'];
    const ofResponses = [
      ...['InputMessage.type', 'PastOutputText.logprobs', 'AdditionalTools.role', 'ToolSearchOutput.call_id', 'ToolSearchOutput.execution'],
      // Checked, and named, where the conversation is loaded.
      'PastReasoning.encrypted_content',
      'McpChoice.name',
      // The gateway itself uses them.
      ...['previous_response_id', 'store', 'background', 'background_options', 'background_options.completion_window'].map(
        (name) => `ResponseRequest.${name}`,
      ),
    ];
    expect(missing.sort()).toEqual([...ownFields, ...(caller === 'chat' ? [] : ofResponses)].sort());
  });
});

/** Each optional field below a schema, by its place in the components of the document. */
function optionalFields(schema: z.core.$ZodType, above: string, seen = new Set<unknown>()): string[] {
  const at = z.globalRegistry.get(schema)?.id ?? above;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return optionalFields(schema.unwrap(), at, seen);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => optionalFields(option, at, seen));
  if (schema instanceof z.ZodArray) return optionalFields(schema.element, at, seen);
  if (!(schema instanceof z.ZodObject) || seen.has(schema)) return [];
  seen.add(schema);
  return Object.entries(schema.shape).flatMap(([name, inner]: [string, z.core.$ZodType]) => {
    const own = inner instanceof z.ZodOptional || inner instanceof z.ZodNullable ? [`${at}.${name}`] : [];
    return [...own, ...optionalFields(inner, `${at}.${name}`, seen)];
  });
}

/** Every text below a value of the document. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const own = typeof value.description === 'string' ? [value.description] : [];
  return [...own, ...Object.values(value).flatMap(textsIn)];
}

test('covers each sentence of the document about a kind of upstream with a row', () => {
  const ofUpstreams = /Anthropic|Gemini|[Cc]hat upstreams|speaks? (chat|responses)|responses upstream|served over/;
  const texts = [...new Set(textsIn(schemas).filter((text) => ofUpstreams.test(text)))];
  expect(texts.length).toBeGreaterThan(50);
  const says = [...fieldRows.chat, ...fieldRows.responses].map((row) => row.says).filter((sentence) => sentence !== '');
  expect(texts.filter((text) => !says.some((sentence) => text.includes(sentence)))).toEqual([]);
});

test.each(kinds)('names no field that is absent, null, empty, or has its default over %s', (kind) => {
  const image = { type: 'image_url', image_url: { url: PNG, detail: 'auto' }, prompt_cache_breakpoint: null };
  const plain = { model: 'm', temperature: null, user: null, metadata: {}, service_tier: 'auto' };
  const chat = { messages: [{ role: 'user', name: null, content: [image] }], seed: null, store: false, n: 1, web_search_options: null };
  expect(pass('chat', kind, { ...plain, ...chat })).toMatchObject({ dropped: [] });
  const said = { type: 'message', role: 'assistant', phase: null, content: [{ type: 'output_text', text: 'a', annotations: [] }] };
  const asked = { role: 'user', content: [{ type: 'input_image', image_url: PNG, detail: 'auto' }] };
  const namespace = { type: 'namespace', name: 'zoo', description: null, tools: [{ type: 'function', name: 'look' }] };
  const input = [asked, { type: 'reasoning', summary: [], content: null }, said, asked];
  expect(pass('responses', kind, { ...plain, input, tools: [namespace], truncation: 'disabled', text: {} })).toMatchObject({ dropped: [] });
});

test('names the first 32 ignored fields of a long conversation, and counts the others', () => {
  const messages = Array.from({ length: 1_000 }, () => ({ role: 'user', name: 'Ada', content: 'a' }));
  const names = Array.from({ length: 32 }, (_, index) => `messages[${index}].name`);
  expect(pass('chat', 'anthropic', { model: 'm', messages })).toMatchObject({ dropped: [...names, 'and-968-more'] });
});
