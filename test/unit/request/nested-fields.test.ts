/** Each optional field inside of messages, items, parts and tools is sent, refused, or named in the answer. */
import { describe, expect, test } from 'vitest';
import { ChatMessage } from '../../../contract/chat-messages.ts';
import { InputItem } from '../../../contract/response-items.ts';
import { ChatTool, Tool } from '../../../contract/tools.ts';
import { type Body, type Caller, type Fate, pass, type UpstreamKind, upstreamKinds } from './fates.ts';
import { buildNested, type NestedField, nestedFields, placeOf, type Values } from './nested-fields.ts';

const picture = 'data:image/png;base64,iVBORw0KGgo=';
const pdf = 'data:application/pdf;base64,JVBERi0xLjQ=';
const schema = { type: 'object', properties: { a: { type: 'string' } } };
const called = { name: 'look', arguments: '{}' };
const clip = { data: 'AAAA', format: 'wav' };

/** A valid object of each kind, with its required fields only. */
const bases: Readonly<Record<string, Values>> = {
  'system message': { role: 'system', content: 'a' },
  'user message': { role: 'user', content: 'a' },
  'assistant message': { role: 'assistant', content: 'a' },
  'tool message': { role: 'tool', content: 'a', tool_call_id: 'call_1' },
  'function message': { role: 'function', name: 'look' },
  text: { type: 'text', text: 'a' },
  image_url: { type: 'image_url', image_url: { url: picture } },
  'image_url/image_url': { url: picture },
  input_audio: { type: 'input_audio', input_audio: clip },
  file: { type: 'file', file: { file_data: pdf } },
  'file/file': { file_data: pdf },
  'function/function': { name: 'look' },
  'custom/custom': { name: 'look' },
  message: { role: 'user', content: 'a' },
  input_text: { type: 'input_text', text: 'a' },
  input_image: { type: 'input_image', image_url: picture },
  input_file: { type: 'input_file', file_data: pdf },
  output_text: { type: 'output_text', text: 'a' },
  'output_text/logprobs': { token: 'a', logprob: 0 },
  function_call: { type: 'function_call', call_id: 'call_1', ...called },
  custom_tool_call: { type: 'custom_tool_call', call_id: 'call_1', name: 'look', input: 'a' },
  function_call_output: { type: 'function_call_output', call_id: 'call_1', output: 'a' },
  custom_tool_call_output: { type: 'custom_tool_call_output', call_id: 'call_1', output: 'a' },
  reasoning: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }] },
  additional_tools: { type: 'additional_tools', tools: [] },
  tool_search_call: { type: 'tool_search_call', arguments: {} },
  tool_search_output: { type: 'tool_search_output', tools: [] },
  compaction: { type: 'compaction', encrypted_content: 'a' },
  compaction_trigger: { type: 'compaction_trigger' },
  local_shell_call: { type: 'local_shell_call' },
  function: { type: 'function', name: 'look' },
  custom: { type: 'custom', name: 'look' },
  namespace: { type: 'namespace', name: 'room', tools: [{ type: 'function', name: 'look' }] },
  web_search: { type: 'web_search' },
  mcp: { type: 'mcp', server_label: 'a' },
};

/** A value for each field, by its name or by its kind of object and name. */
const values: Readonly<Record<string, unknown>> = {
  prompt_cache_breakpoint: { mode: 'explicit' },
  name: 'Ada',
  detail: 'low',
  filename: 'a.pdf',
  file_data: `${pdf}CiU=`,
  file_id: 'file_1',
  file_url: 'https://files.test/a.pdf',
  image_url: `${picture}AA==`,
  content: 'b',
  'reasoning.content': [{ type: 'reasoning_text', text: 'b' }],
  refusal: 'b',
  audio: { id: 'audio_1' },
  tool_calls: [{ id: 'call_1', type: 'function', function: called }],
  function_call: called,
  description: 'b',
  parameters: schema,
  strict: true,
  format: { type: 'grammar', syntax: 'regex', definition: 'a+', grammar: { syntax: 'regex', definition: 'a+' } },
  annotations: [{ type: 'url_citation', url: 'https://pages.test' }],
  phase: 'commentary',
  namespace: 'room',
  encrypted_content: 'sealed',
  external_web_access: true,
  filters: { allowed_domains: ['pages.test'] },
  user_location: { type: 'approximate', city: 'Oslo' },
  search_context_size: 'high',
  server_url: 'https://tools.test',
  allowed_tools: ['look'],
  require_approval: 'never',
  execution: 'client',
  call_id: 'call_2',
  action: { command: ['ls'] },
};

/** The field that each of these replaces. */
const otherwise: Readonly<Record<string, string>> = {
  'file/file.file_id': 'file_data',
  'input_image.file_id': 'image_url',
  'input_file.file_id': 'file_data',
  'input_file.file_url': 'file_data',
};

/** Fields of a search that is left out and named as a whole. */
const searchMarks = ['tool_search_output.call_id', 'tool_search_output.execution'];
/** It is checked when the conversation is loaded, and named there. */
const sealed = 'reasoning.encrypted_content';
/** Fields that have no effect, as their descriptions say. */
const isIdle = ({ label, field }: NestedField): boolean =>
  [...['id', 'status', 'message.type', 'additional_tools.role'], ...searchMarks, sealed].some((idle) => idle === field || idle === label) ||
  label.startsWith('output_text.logprobs') ||
  label.startsWith('output_text/logprobs');

interface Nested extends NestedField {
  /** The field of the body that has the outermost object. */
  readonly root: 'messages' | 'input' | 'tools';
}

const at = (root: Nested['root'], fields: readonly NestedField[]): Nested[] => fields.map((field) => ({ ...field, root }));
const all: Readonly<Record<Caller, readonly Nested[]>> = {
  chat: [...at('messages', nestedFields(ChatMessage)), ...at('tools', nestedFields(ChatTool))],
  responses: [...at('input', nestedFields(InputItem)), ...at('tools', nestedFields(Tool))],
};

const call = (id: string) => ({ type: 'function_call', call_id: id, ...called });
const output = { type: 'function_call_output', call_id: 'call_1', output: 'a' };
/** The object with the call before a result, or the result after a call. */
function between(caller: Caller, value: Values): readonly unknown[] {
  const { role, type } = value;
  if (caller === 'chat') {
    const calls = { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: called }] };
    if (role === 'tool') return [calls, value];
    if (role === 'function') return [{ role: 'assistant', content: null, function_call: called }, value];
    if ('tool_calls' in value) return [value, { role: 'tool', tool_call_id: 'call_1', content: 'a' }];
    return 'function_call' in value ? [value, { role: 'function', name: 'look', content: 'a' }] : [value];
  }
  if (type === 'function_call') return [value, output];
  if (type === 'custom_tool_call') return [value, { ...output, type: 'custom_tool_call_output' }];
  if (type === 'custom_tool_call_output') return [{ ...call('call_1'), type: 'custom_tool_call', input: 'a' }, value];
  return type === 'function_call_output' ? [call('call_1'), value] : [value];
}

/** A body with the object, and its index there. */
function bodyWith(caller: Caller, { root }: Nested, value: Values): readonly [Body, number] {
  const hello = caller === 'chat' ? { role: 'user', content: 'hello' } : { type: 'message', role: 'user', content: 'hello' };
  const key = caller === 'chat' ? 'messages' : 'input';
  if (root === 'tools') return [{ model: 'm', [key]: [hello], tools: [value] }, 0];
  const list = [hello, ...between(caller, value)];
  return [{ model: 'm', [key]: list }, list.indexOf(value)];
}

/** Whether one of the names is this place, contains it, or is inside of it. */
const isNamed = (names: readonly string[], place: string): boolean =>
  names.some((name) => name === place || ['.', '['].some((mark) => place.startsWith(name + mark) || name.startsWith(place + mark)));

function fatesOf(caller: Caller, upstream: UpstreamKind, nested: Nested): { place: string; with: Fate | null; without: Fate | null } {
  const value = values[nested.label] ?? values[nested.field];
  const other = otherwise[nested.label];
  const nothing = other === undefined ? {} : { [other]: undefined };
  const [body, index] = bodyWith(caller, nested, buildNested(nested, bases, { ...nothing, [nested.field]: value }));
  const [plain] = bodyWith(caller, nested, buildNested(nested, bases, nothing));
  const place = `${nested.root}[${index}]${placeOf(nested)}`;
  return { place, with: pass(caller, upstream, body), without: pass(caller, upstream, plain) };
}

describe.each(['chat', 'responses'] as const)('the optional fields of a %s call', (caller) => {
  const fields = all[caller].filter((nested) => !isIdle(nested));

  test('all have a value here', () => {
    expect(fields.length).toBeGreaterThan(20);
    expect(
      fields.filter(({ label, field }) => values[label] === undefined && values[field] === undefined).map(({ label }) => label),
    ).toEqual([]);
  });

  test.each(upstreamKinds)('are each sent, refused or named over %s', (upstream) => {
    const silent = fields.flatMap((nested) => {
      const fates = fatesOf(caller, upstream, nested);
      const isLoud = fates.with === null || fates.with.sent !== fates.without?.sent || isNamed(fates.with.ignored, fates.place);
      return isLoud ? [] : [`${fates.place} (${nested.label})`];
    });
    expect(silent).toEqual([]);
  });
});

test('a field that is absent, null, empty or has its default is not named', () => {
  const image = { type: 'image_url', image_url: { url: picture, detail: 'auto' }, prompt_cache_breakpoint: null };
  const chat = { model: 'm', messages: [{ role: 'user', name: null, content: [image] }] };
  const said = { type: 'message', role: 'assistant', phase: null, content: [{ type: 'output_text', text: 'a', annotations: [] }] };
  const thought = { type: 'reasoning', summary: [], content: null };
  const asked = { role: 'user', content: [{ type: 'input_image', image_url: picture, detail: 'auto' }] };
  const responses = { model: 'm', input: [asked, thought, said, asked], tools: [{ ...bases.namespace, description: null }] };
  for (const upstream of upstreamKinds) {
    expect(pass('chat', upstream, chat)?.ignored).toEqual([]);
    expect(pass('responses', upstream, responses)?.ignored).toEqual([]);
  }
});

test('the first 32 ignored fields of a long conversation are named, and the others counted', () => {
  const messages = Array.from({ length: 1_000 }, () => ({ role: 'user', name: 'Ada', content: 'a' }));
  const ignored = pass('chat', 'anthropic', { model: 'm', messages })?.ignored ?? [];
  expect(ignored.slice(0, 2)).toEqual(['messages[0].name', 'messages[1].name']);
  expect(ignored.slice(31)).toEqual(['messages[31].name', 'and-968-more']);
});
