/** Moving code from chat to responses, row by row of docs/guides/migrating.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ChatCompletionRequest, ModelResponse } from '../../../client/sdk/src/index.ts';
import { toChatCompletion, toResponseRequest } from '../../../client/sdk/src/migrate.ts';
import { ChatCompletion } from '../../../contract/chat/completion.ts';
import { ChatCompletionRequest as ChatSchema } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { chatExamples } from '../../../docs/generate/examples/chat.ts';
import { responseExamples } from '../../../docs/generate/examples/responses.ts';
import { migrationOutput } from '../../../docs/generate/migration.ts';
import { isFresh } from '../../../docs/generate/output.ts';

const move = (more: Partial<ChatCompletionRequest>) =>
  toResponseRequest({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }], store: false, ...more });
const fieldsOf = ({ notes }: ReturnType<typeof move>) => notes.map(({ field }) => field);
const answer = (more: Partial<ModelResponse>): ModelResponse => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1790000000.5,
  model: 'gpt-5.4',
  status: 'completed',
  output: [],
  ...more,
});

const schema = { type: 'object', properties: {}, additionalProperties: false };
const fixture = (name: string) => JSON.parse(readFileSync(new URL(`../../fixtures/migration/${name}.json`, import.meta.url), 'utf8'));

interface Pair {
  readonly chat: string;
  readonly responses: string;
  readonly requests?: readonly { chat: Partial<ChatCompletionRequest>; responses: object; notes?: readonly object[] }[];
  readonly answers?: readonly { response: Partial<ModelResponse>; completion: object }[];
}
/** The rows of the tables of the guide, each with examples. */
const pairs: readonly Pair[] = fixture('pairs');
const left: readonly { field: string; remedy: string; chat: Partial<ChatCompletionRequest> }[] = fixture('left');

describe('the migration guide', () => {
  test.each(pairs)('says rightly: $chat → $responses', ({ requests = [], answers = [] }) => {
    expect(requests.length + answers.length).toBeGreaterThan(0);
    for (const { chat, responses, notes = [] } of requests) {
      const { messages: _, ...plain } = chat;
      expect(ChatSchema.safeParse({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }], ...plain }).error).toBeUndefined();
      expect(move(chat)).toEqual({ request: { model: 'gpt-5.4', input: 'Hi', store: false, ...responses }, notes });
    }
    for (const { response, completion } of answers) expect(toChatCompletion(answer(response))).toMatchObject(completion);
  });

  test.each(left)('says rightly that $field does not carry over', ({ chat, field, remedy }) => {
    const moved = move(chat);
    expect(moved.notes).toContainEqual({ field, remedy });
    expect(ResponseRequest.safeParse(moved.request).error).toBeUndefined();
  });

  test('contains both tables as they are generated', () => {
    expect(isFresh(migrationOutput())).toBe(true);
  });
});

describe('a chat request', () => {
  test.each(Object.entries(chatExamples.requests ?? {}))('becomes a valid responses request: %s', (_name, { value }) => {
    const chat = ChatSchema.parse(value);
    const before = structuredClone(chat);
    // The schema lets unknown fields pass, the client's type does not name them.
    const { request } = toResponseRequest(chat as ChatCompletionRequest);
    expect(ResponseRequest.safeParse(request).error).toBeUndefined();
    expect(chat).toEqual(before);
  });

  test('stays valid with every field that only chat has, and gets a note for each of them', () => {
    const left = { stop: 'x', seed: 1, logit_bias: { 5: 1 }, n: 2, prediction: { type: 'content' as const, content: 'x' } };
    const audio = { modalities: ['text' as const, 'audio' as const], audio: { voice: 'a', format: 'wav' as const } };
    const moved = move({ ...left, ...audio, max_tokens: 5, stream: true, stream_options: { include_usage: true }, store: null });
    expect(ResponseRequest.safeParse(moved.request).error).toBeUndefined();
    expect(fieldsOf(moved).sort()).toEqual(
      [...Object.keys(left), 'audio', 'max_tokens', 'modalities', 'store', 'stream', 'stream_options.include_usage'].sort(),
    );
    expect(moved.notes.every(({ remedy }) => remedy.length > 10)).toBe(true);
  });

  test("gets flat tools and a flat tool choice, which don't become strict", () => {
    const choose = (tool_choice: ChatCompletionRequest['tool_choice']) => move({ tool_choice }).request.tool_choice;
    const grammar = { type: 'grammar' as const, grammar: { syntax: 'lark' as const, definition: 'x' } };
    const tools: ChatCompletionRequest['tools'] = [
      { type: 'function', function: { name: 'f', parameters: schema } },
      { type: 'custom', custom: { name: 'c', format: grammar } },
    ];
    expect(
      move({ tools, web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Oslo' } } } }).request.tools,
    ).toEqual([
      { type: 'function', name: 'f', parameters: schema, strict: false },
      { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
      { type: 'web_search', user_location: { type: 'approximate', city: 'Oslo' } },
    ]);
    const named = { type: 'function' as const, function: { name: 'f' } };
    expect(choose('required')).toBe('required');
    expect(choose(named)).toEqual({ type: 'function', name: 'f' });
    expect(choose({ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } })).toEqual({
      type: 'allowed_tools',
      mode: 'auto',
      tools: [{ type: 'function', name: 'f' }],
    });
    expect(move({ function_call: { name: 'f' } }).request.tool_choice).toEqual({ type: 'function', name: 'f' });
  });

  test('keeps later instructions, images, custom calls and calls of the older kind in order', () => {
    const custom = { id: 'call_c', type: 'custom' as const, custom: { name: 'c', input: 'x' } };
    const { request, notes } = move({
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } }] },
        { role: 'system', content: 'Now in French.' },
        { role: 'assistant', content: null, tool_calls: [custom] },
        { role: 'tool', tool_call_id: 'call_c', content: 'y' },
        { role: 'assistant', function_call: { name: 'old', arguments: '{}' } },
        { role: 'function', name: 'old', content: 'z' },
      ],
    });
    expect(request).not.toHaveProperty('instructions');
    expect(request.input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' }] },
      { type: 'message', role: 'system', content: 'Now in French.' },
      { type: 'custom_tool_call', call_id: 'call_c', name: 'c', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'call_c', output: 'y' },
      { type: 'function_call', call_id: 'call_4', name: 'old', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_4', output: 'z' },
    ]);
    expect(ResponseRequest.safeParse(request).error).toBeUndefined();
    expect(notes).toEqual([]);
  });
});

describe('toChatCompletion', () => {
  test.each(Object.entries(responseExamples.answers))('reads a response of the reference: %s', (_name, { value }) => {
    // The test of the document checks the examples against the contract.
    expect(ChatCompletion.safeParse(toChatCompletion(value as ModelResponse)).error).toBeUndefined();
  });

  test('throws for a response that failed or has not ended', () => {
    expect(() => toChatCompletion(answer({ status: 'failed', error: { message: 'It broke.' } }))).toThrow('It broke.');
    expect(() => toChatCompletion(answer({ status: 'in_progress' }))).toThrow('in_progress');
  });
});
