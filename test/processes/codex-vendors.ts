/** The vendors behind the gateway that Codex talks to: how each calls a shell command and a patch, and how it counts. */
import { anthropicFrames, anthropicUsage } from '../fakes/anthropic.ts';
import { servedModel } from '../fakes/azure.ts';
import { bedrockStream } from '../fakes/bedrock.ts';
import { chatFrames, chatUsage, type FakeToolCall } from '../fakes/chat.ts';
import { converseEvents, converseStream, converseUsage } from '../fakes/converse.ts';
import { stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { type GeminiCall, geminiFrames, geminiUsage } from '../fakes/gemini.ts';
import { responseFrames, responseUsage } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';

export const command = { cmd: 'echo spoken through the shell > spoken.txt && cat spoken.txt' };
export const patch = '*** Begin Patch\n*** Add File: note.txt\n+Grüße — "quoted" \\ ☕ 🌍\n+second line\n*** End Patch\n';
export const goodbye = 'Both are done.';

export interface Vendor {
  readonly name: string;
  readonly kind: string;
  readonly protocols: readonly string[];
  readonly path: string;
  /** The results of tool calls in a request, as text. */
  readonly results: (request: FakeRequest) => readonly string[];
  readonly say: (reply: { readonly text?: string; readonly toolCalls?: readonly FakeToolCall[] }) => Script;
  /** A call of a custom tool as this vendor makes it. */
  readonly patchCall: FakeToolCall;
  /** Settings of the upstream at this origin, where they are more than an address and a key. */
  readonly place?: (origin: string) => object;
  /** Tokens of one answer: input, cached input, output, reasoning. */
  readonly usage: readonly [number, number, number, number];
}

export const pieces = (text: string): string[] => text.match(/.{1,7}/gsu) ?? [];
export const shellCall: FakeToolCall = { id: 'call_shell', name: 'exec_command', arguments: pieces(JSON.stringify(command)) };
const wrapped: FakeToolCall = { id: 'call_patch', name: 'apply_patch', arguments: pieces(JSON.stringify({ input: patch })) };
export const list = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value : []);

const geminiCall = ({ id, name, arguments: args }: FakeToolCall): GeminiCall => ({
  id,
  name,
  args: JSON.parse(typeof args === 'string' ? args : args.join('')),
});

const responseResults: Vendor['results'] = ({ fields }) =>
  list(fields.input)
    .filter(({ type }) => String(type).endsWith('_output'))
    .map(({ output }) => JSON.stringify(output));
const claudeResults: Vendor['results'] = ({ fields }) =>
  list(fields.messages).flatMap(({ content }) =>
    list(content)
      .filter(({ type }) => type === 'tool_result')
      .map((block) => JSON.stringify(block.content)),
  );
const geminiResults: Vendor['results'] = ({ fields }) =>
  list(fields.contents).flatMap(({ parts }) =>
    list(parts).flatMap(({ functionResponse }) => (functionResponse ? [JSON.stringify(functionResponse)] : [])),
  );

export const vendors: readonly [Vendor, ...Vendor[]] = [
  {
    name: 'a responses upstream',
    kind: 'openai',
    protocols: ['responses'],
    path: '/v1/responses',
    results: responseResults,
    say: (reply) => stream(responseFrames({ ...reply, reasoning: 'Thinking about it.' })),
    patchCall: { ...wrapped, arguments: pieces(patch), custom: true },
    usage: [responseUsage.input_tokens, 3, responseUsage.output_tokens, 2],
  },
  {
    name: 'Azure',
    kind: 'openai',
    protocols: ['responses'],
    path: '/openai/v1/responses',
    place: (origin) => ({ azure: { resource: 'contoso' }, baseUrl: `${origin}/openai/v1` }),
    results: responseResults,
    say: (reply) => stream(responseFrames({ ...reply, model: servedModel, reasoning: 'Thinking about it.' })),
    patchCall: { ...wrapped, arguments: pieces(patch), custom: true },
    usage: [responseUsage.input_tokens, 3, responseUsage.output_tokens, 2],
  },
  {
    name: 'a chat-only upstream',
    kind: 'openai',
    protocols: ['chat'],
    path: '/v1/chat/completions',
    results: ({ fields }) =>
      list(fields.messages)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => JSON.stringify(content)),
    say: (reply) => stream(chatFrames({ ...reply, includeUsage: true })),
    patchCall: wrapped,
    usage: [chatUsage.prompt_tokens, 3, chatUsage.completion_tokens, 2],
  },
  {
    name: 'an anthropic upstream',
    kind: 'anthropic',
    protocols: ['anthropic'],
    path: '/v1/messages',
    results: claudeResults,
    say: (reply) => stream(anthropicFrames({ ...reply, thoughts: [{ text: 'Thinking about it.' }] })),
    patchCall: wrapped,
    usage: [11, anthropicUsage.cache_read_input_tokens, anthropicUsage.output_tokens, 2],
  },
  {
    name: 'a gemini upstream',
    kind: 'gemini',
    protocols: ['gemini'],
    path: '/v1/models/gpt-5.5:streamGenerateContent',
    results: geminiResults,
    say: ({ text, toolCalls = [] }) => stream(geminiFrames({ ...(text !== undefined && { text }), calls: toolCalls.map(geminiCall) })),
    patchCall: wrapped,
    usage: [11, geminiUsage.cachedContentTokenCount, 7, geminiUsage.thoughtsTokenCount],
  },
  {
    name: 'Gemini on Vertex AI',
    kind: 'gemini',
    protocols: ['gemini'],
    path: '/v1/publishers/google/models/gpt-5.5:streamGenerateContent',
    place: (origin) => ({ google: {}, baseUrl: `${origin}/v1` }),
    results: geminiResults,
    say: ({ text, toolCalls = [] }) =>
      stream(geminiFrames({ ...(text !== undefined && { text }), calls: toolCalls.map(geminiCall) }), { lineEnd: '\r\n', chunkBytes: 7 }),
    patchCall: wrapped,
    usage: [11, geminiUsage.cachedContentTokenCount, 7, geminiUsage.thoughtsTokenCount],
  },
  {
    name: 'Claude on Vertex AI',
    kind: 'anthropic',
    protocols: ['anthropic'],
    path: '/v1/projects/my-project/locations/eu/publishers/anthropic/models/gpt-5.5:streamRawPredict',
    place: (origin) => ({
      google: { project: 'my-project', location: 'eu' },
      baseUrl: `${origin}/v1/projects/my-project/locations/eu`,
      auth: { type: 'bearer' },
    }),
    results: claudeResults,
    say: (reply) => stream(anthropicFrames({ ...reply, thoughts: [{ text: 'Thinking about it.' }] })),
    patchCall: wrapped,
    usage: [11, anthropicUsage.cache_read_input_tokens, anthropicUsage.output_tokens, 2],
  },
  {
    name: 'Claude in Bedrock',
    kind: 'anthropic',
    protocols: ['anthropic'],
    path: '/model/gpt-5.5/invoke-with-response-stream',
    place: (baseUrl) => ({ aws: { region: 'eu-central-1' }, baseUrl }),
    results: claudeResults,
    say: (reply) => bedrockStream({ ...reply, thoughts: [{ text: 'Thinking about it.' }], chunkBytes: 100 }),
    patchCall: wrapped,
    usage: [11, anthropicUsage.cache_read_input_tokens, anthropicUsage.output_tokens, 2],
  },
  {
    name: 'Nova in Bedrock',
    kind: 'converse',
    protocols: ['converse'],
    path: '/model/gpt-5.5/converse-stream',
    place: (baseUrl) => ({ aws: { region: 'eu-central-1' }, baseUrl }),
    results: ({ fields }) =>
      list(fields.messages).flatMap(({ content }) =>
        list(content).flatMap(({ toolResult }) => (toolResult ? [JSON.stringify(toolResult)] : [])),
      ),
    say: (reply) => converseStream(converseEvents({ ...reply, thoughts: [{ text: 'Thinking about it.' }] }), { chunkBytes: 100 }),
    patchCall: wrapped,
    usage: [11, converseUsage.cacheReadInputTokens, converseUsage.outputTokens, 0],
  },
];
