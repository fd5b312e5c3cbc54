/** What the benchmark's callers ask: a small chat, two of 20 KB, a coding agent's turn of 60 KB, and streams; and how a right answer is told. */
import { answerText, fullSpeedEvents, paces, slowMark } from './answers.ts';

type Json = Readonly<Record<string, unknown>>;

interface Common {
  readonly title: string;
  readonly path: string;
  readonly body: Json;
}

interface JsonAsked extends Common {
  readonly kind: 'json';
  /** The text of a right answer, or undefined. */
  readText(answer: unknown): unknown;
}

export interface StreamAsked extends Common {
  readonly kind: 'stream';
  /** The protocol that the events are read in. */
  readonly caller: Caller;
  /** Events with content in each stream. */
  readonly events: number;
}

export type Asked = JsonAsked | StreamAsked;

export const model = 'gpt-5.4';
/** The same vendor, asked in one protocol alone. */
export const vendorModels = {
  chat: 'over-chat',
  responses: 'over-responses',
  anthropic: 'over-anthropic',
  gemini: 'over-gemini',
} as const;
type Protocol = keyof typeof vendorModels;
type Caller = Extract<Protocol, 'chat' | 'responses'>;

export const rightText = answerText;
const paths = { chat: '/v1/chat/completions', responses: '/v1/responses' } as const;
// `as`: the shapes are those of `answers.ts`; a wrong answer makes these throw or yield another text, and both count as wrong.
const readers = {
  chat: (answer: unknown) => (answer as { choices: { message: { content: unknown } }[] }).choices[0]?.message.content,
  responses: (answer: unknown) => (answer as { output: { content: { text: unknown }[] }[] }).output[0]?.content[0]?.text,
} as const;

function whole(title: string, body: Json, caller: Caller = 'chat'): JsonAsked {
  return { kind: 'json', title, path: paths[caller], body, readText: readers[caller] };
}

function streamed(title: string, body: Json, caller: Caller = 'chat'): StreamAsked {
  const text = JSON.stringify(body);
  const events = Object.values(paces).find(({ mark }) => text.includes(mark))?.events ?? fullSpeedEvents;
  return { kind: 'stream', title, path: paths[caller], body: { ...body, stream: true }, caller, events };
}

const words =
  'the reader of a long prompt meets "quoted words", a path like src/main.ts, naïve accents, numbers such as 3.14 and, at times, a line break\n'.split(
    ' ',
  );

/** Text of about so many bytes, the same each time, with what makes JSON escape. */
function prose(bytes: number, seed: number): string {
  let text = '';
  for (let at = seed; text.length < bytes; at = (at * 7 + 3) % 9_973) text += `${words[at % words.length]} `;
  return text;
}

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

function tool(seed: number): Json {
  const field = (index: number): Json => ({ type: index % 2 ? 'string' : 'integer', description: prose(90, seed * 31 + index) });
  const parameters = {
    type: 'object',
    properties: { ...Object.fromEntries(numbers(4).map((index) => [`field_${index}`, field(index)])), kind: { enum: ['a', 'b', null] } },
    required: ['field_1', 'field_2'],
    additionalProperties: false,
  };
  return { name: `tool_${seed}`, description: prose(220, seed), parameters, strict: false };
}

const smallChat: Json = {
  model,
  messages: [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content: 'What is a gateway?' },
    { role: 'assistant', content: 'A door between two networks.' },
    { role: 'user', content: 'And a model gateway?' },
  ],
};

const longChat: Json = {
  model,
  messages: [
    { role: 'system', content: prose(1_600, 1) },
    ...numbers(12).flatMap((turn) => [
      { role: 'user', content: prose(500, turn) },
      { role: 'assistant', content: prose(900, turn + 90) },
    ]),
    { role: 'user', content: 'Go on.' },
  ],
};

function call(turn: number): Json {
  return {
    id: `call_${turn}`,
    type: 'function',
    function: { name: `tool_${turn}`, arguments: JSON.stringify({ field_1: prose(80, turn) }) },
  };
}

/** A system prompt, ten tools, six rounds of tool use. */
const toolsChat: Json = {
  model,
  messages: [
    { role: 'system', content: prose(1_600, 1) },
    ...numbers(6).flatMap((turn) => [
      { role: 'user', content: prose(200, turn) },
      { role: 'assistant', content: null, tool_calls: [call(turn)] },
      { role: 'tool', tool_call_id: `call_${turn}`, content: prose(620, turn + 50) },
      { role: 'assistant', content: prose(240, turn + 90) },
    ]),
    { role: 'user', content: 'Go on.' },
  ],
  tools: numbers(10).map((seed) => ({ type: 'function', function: tool(seed) })),
  tool_choice: 'auto',
  temperature: 0.2,
};

function agentRound(turn: number): Json[] {
  const summary = [{ type: 'summary_text', text: prose(120, turn) }];
  const done = { id: `fc_${turn}`, status: 'completed', name: 'tool_1', arguments: `{"cmd":"ls ${turn}"}`, call_id: `call_${turn}` };
  return [
    { type: 'reasoning', id: `rs_${turn}`, summary, encrypted_content: 'QUJD'.repeat(120) },
    { type: 'function_call', ...done },
    { type: 'function_call_output', id: `fco_${turn}`, call_id: `call_${turn}`, output: prose(1_100, turn + 20) },
  ];
}

/** What a coding agent sends in the middle of its work. */
const agentBody: Json = {
  model,
  input: [
    { type: 'message', id: 'msg_0', role: 'developer', content: [{ type: 'input_text', text: prose(24_500, 5) }] },
    { type: 'message', id: 'msg_1', role: 'user', content: [{ type: 'input_text', text: prose(2_000, 6) }] },
    ...numbers(10).flatMap(agentRound),
    { type: 'message', id: 'msg_9', role: 'user', content: [{ type: 'input_text', text: 'Now mend the test.' }] },
  ],
  tools: numbers(12).map((seed) => ({ type: 'function', ...tool(seed) })),
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'bench-thread',
  client_metadata: { session: 'bench' },
};

const say = (content: string): Json => ({ model, messages: [{ role: 'user', content }] });
/** Kept nowhere: storing is no part of a translation. */
export const smallResponse: Json = { model, instructions: 'You are brief.', input: 'What is a gateway?', store: false };
const over = (vendor: Protocol, body: Json): Json => ({ ...body, model: vendorModels[vendor] });

export const small = whole('small chat', smallChat);
export const tools = whole('20 KB chat with tools', toolsChat);
export const long = whole('20 KB chat', longChat);
export const agentTurn = whole('60 KB coding agent turn', agentBody, 'responses');
/** Over a vendor who takes its time: what a gateway lives with. */
export const slow = whole('chat, 50 to 250 ms', say(`${slowMark} What is a gateway?`));
export const forwardedStream = streamed('stream chunk, forwarded', smallChat);
export const translatedStream = streamed('stream chunk, translated', over('anthropic', smallChat));
/** Five seconds long. */
export const pacedStream = streamed('open stream', say(`${paces.quick.mark} Speak slowly.`));
/** 48 seconds long, with few events: for thousands at the same time. */
export const quietStream = streamed('quiet stream', say(`${paces.slow.mark} Speak slowly.`));
/** Runs for 48 seconds; its answer says that it's queued. */
export const backgroundRun: Asked = {
  ...whole('background run', { model, input: `${paces.slow.mark} Speak slowly.`, background: true }, 'responses'),
  // `as`: as in `readers`.
  readText: (answer) => ((answer as { status: unknown }).status === 'queued' ? answerText : answer),
};

/** Whole answers and streams, small and large, forwarded and translated. */
export const everyKind: readonly Asked[] = [
  ...[small, tools, agentTurn, forwardedStream, translatedStream],
  ...(['responses', 'anthropic', 'gemini'] as const).map((vendor) => whole(`chat to ${vendor}`, over(vendor, toolsChat))),
  ...(['responses', 'gemini'] as const).map((vendor) => streamed(`chat to ${vendor}, streamed`, over(vendor, smallChat))),
  whole('responses to chat', over('chat', smallResponse), 'responses'),
  streamed('responses to chat, streamed', over('chat', smallResponse), 'responses'),
];
