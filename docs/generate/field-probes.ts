/**
 * Writes docs/generated/field-probes.json: requests that each set one field. The gateway translates them for an upstream to show how the
 * upstream's protocol treats the field. The text requests come from test/fixtures/fields.md, which a test runs against each kind of
 * upstream.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ChatCompletionRequest } from '../../contract/chat.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../contract/images.ts';
import { ResponseRequest } from '../../contract/responses.ts';
import { isObject, type JsonSchema } from './openapi/json-schema.ts';
import { type Output, publish } from './output.ts';

interface Probe {
  /** Name of the tested field. */
  readonly field: string;
  /** The tested field, and the fields that it requires. */
  readonly adds: JsonSchema;
}
interface Probes {
  /** A request with required fields only. */
  readonly plain: JsonSchema;
  readonly calls: readonly Probe[];
}

const [, chat = '', responses = ''] = readFileSync(new URL('../../test/fixtures/fields.md', import.meta.url), 'utf8').split(/^## .*$/m);

/** Reads the table rows about body fields and about tools. */
function callsIn(section: string): readonly Probe[] {
  const rows = [...section.matchAll(/^\| ([\w.]+) \| (tool )?(\{.*?\}) \| /gm)];
  const calls = rows.map(([, at = '', word, json = '']) => {
    const adds: JsonSchema = word ? { tools: [JSON.parse(json)] } : JSON.parse(json);
    return { field: fieldOf(at.replace(/^.*\./, ''), adds), adds };
  });
  // Content of messages and items is out of scope.
  const options = calls.filter(({ field }) => field !== 'messages' && field !== 'input');
  return [...new Map(options.map((call) => [JSON.stringify(call), call])).values()];
}

/** Returns the body field of a row. If the row names a nested field, returns the body field that contains it. */
function fieldOf(name: string, adds: JsonSchema): string {
  const [first = ''] = Object.keys(adds);
  return name in adds ? name : (Object.keys(adds).find((field) => JSON.stringify(adds[field]).includes(`"${name}":`)) ?? first);
}

const image = { image_url: 'data:image/png;base64,iVBORw0KGgo=' };
const each = (field: string, ...values: readonly unknown[]): Probe[] => values.map((value) => ({ field, adds: { [field]: value } }));
const imageCalls: readonly Probe[] = [
  ...each('size', 'auto', '1024x1024', '1024x1536'),
  ...each('quality', 'low', 'medium', 'high', 'xhigh', 'max'),
  ...each('output_format', 'png', 'jpeg', 'webp', 'gif', 'svg'),
  ...each('background', 'opaque', 'transparent'),
  ...each('moderation', 'low'),
  ...each('complexity', 'low'),
  ...each('response_format', 'b64_json'),
  ...each('user', 'marker'),
  ...each('safety_identifier', 'marker'),
  ...each('n', 2),
  ...each('stream', true),
  ...each('frame_count', 4),
  ...each('frame_duration_ms', 100),
  ...each('svg', { detail: 'high' }),
  { field: 'output_compression', adds: { output_format: 'jpeg', output_compression: 50 } },
  { field: 'partial_images', adds: { stream: true, partial_images: 1 } },
];

const table: Readonly<Record<string, Probes & { readonly schema: z.ZodType }>> = {
  createResponse: { schema: ResponseRequest, plain: { model: 'm', input: 'hello' }, calls: callsIn(responses) },
  createChatCompletion: {
    schema: ChatCompletionRequest,
    plain: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
    calls: callsIn(chat),
  },
  generateImages: { schema: ImageGenerationRequest, plain: { model: 'm', prompt: 'hello' }, calls: imageCalls },
  editImages: {
    schema: ImageEditRequest,
    plain: { model: 'm', prompt: 'hello', images: [image] },
    calls: [...imageCalls, ...each('mask', image), ...each('input_fidelity', 'high')],
  },
};

/** Fields that the gateway handles itself, so no upstream gets them. */
const own = ['usage', 'previous_response_id', 'background', 'background_options'];

/** Throws an error if a field has no request, or if the contract rejects a request. */
function check(name: string, { schema, plain, calls }: (typeof table)[string]): void {
  for (const { adds } of calls) schema.parse({ ...plain, ...adds });
  const { properties } = z.toJSONSchema(schema, { io: 'input' });
  const tried = new Set([...own, ...Object.keys(plain), ...calls.map(({ field }) => field)]);
  const missing = Object.keys(isObject(properties) ? properties : {}).filter((field) => !tried.has(field));
  if (missing.length > 0) throw new Error(`${name}: no call has ${missing.join(', ')}.`);
}

export function fieldProbesOutput(): Output {
  for (const [name, probes] of Object.entries(table)) check(name, probes);
  const written = Object.entries(table).map(([name, { plain, calls }]) => {
    const lines = calls.map((call) => `      ${JSON.stringify(call)}`).join(',\n');
    return `  "${name}": {\n    "plain": ${JSON.stringify(plain)},\n    "calls": [\n${lines}\n    ]\n  }`;
  });
  return { path: '../generated/field-probes.json', text: `{\n${written.join(',\n')}\n}\n` };
}

if (import.meta.main) publish(fieldProbesOutput());
