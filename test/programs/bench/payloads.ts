/** What callers of the benchmark send: a small chat, a long one and one with tools (20 KB each), a coding agent's turn (60 KB), and streams. */

type Json = Readonly<Record<string, unknown>>;

/** In a message, it makes the vendor space its events by 50 ms. */
export const pacedMark = '[paced]';
/** In a message, it makes the vendor answer after 50 to 250 ms. */
export const slowMark = '[slow]';
export const model = 'gpt-5.4';
/** The same vendor, asked in one protocol alone: by the name of the protocol. */
export const simulatedModels = { text: 'simulated', drawn: 'drawn' } as const;
export const vendorModels = {
  chat: 'over-chat',
  responses: 'over-responses',
  anthropic: 'over-anthropic',
  gemini: 'over-gemini',
  bedrock: 'over-bedrock',
} as const;

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

function parameters(seed: number): Json {
  const field = (index: number): Json => ({ type: index % 2 ? 'string' : 'integer', description: prose(90, seed * 31 + index) });
  return {
    type: 'object',
    properties: { ...Object.fromEntries([1, 2, 3, 4].map((index) => [`field_${index}`, field(index)])), kind: { enum: ['a', 'b', null] } },
    required: ['field_1', 'field_2'],
    additionalProperties: false,
  };
}

function tool(seed: number): Json {
  return { name: `tool_${seed}`, description: prose(220, seed), parameters: parameters(seed), strict: false };
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

export const smallChat: Json = {
  model,
  messages: [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content: 'What is a gateway?' },
    { role: 'assistant', content: 'A door between two networks.' },
    { role: 'user', content: 'And a model gateway?' },
  ],
};

/** About 20 KB of conversation. */
export const longChat: Json = {
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

/** The vendor takes its time for it, as for any real answer. */
export const slowChat: Json = { model, messages: [{ role: 'user', content: `${slowMark} What is a gateway?` }] };

/** About 20 KB: a system prompt, ten tools, six rounds of tool use. */
export const toolsChat: Json = {
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

function call(turn: number): Json {
  return {
    id: `call_${turn}`,
    type: 'function',
    function: { name: `tool_${turn}`, arguments: JSON.stringify({ field_1: prose(80, turn) }) },
  };
}

/** About 60 KB: what a coding agent sends in the middle of its work. */
export const codexTurn: Json = {
  model,
  input: [
    { type: 'message', id: 'msg_0', role: 'developer', content: [{ type: 'input_text', text: prose(24_500, 5) }] },
    { type: 'message', id: 'msg_1', role: 'user', content: [{ type: 'input_text', text: prose(2_000, 6) }] },
    ...numbers(10).flatMap((turn) => [
      {
        type: 'reasoning',
        id: `rs_${turn}`,
        summary: [{ type: 'summary_text', text: prose(120, turn) }],
        encrypted_content: 'QUJD'.repeat(120),
      },
      {
        type: 'function_call',
        id: `fc_${turn}`,
        status: 'completed',
        name: 'tool_1',
        arguments: `{"cmd":"ls ${turn}"}`,
        call_id: `call_${turn}`,
      },
      { type: 'function_call_output', id: `fco_${turn}`, call_id: `call_${turn}`, output: prose(1_100, turn + 20) },
    ]),
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

/** The same turns and tools as in `toolsChat`, for callers who speak responses. Kept nowhere: storing is no part of a translation. */
export const toolsResponses: Json = {
  model,
  instructions: prose(1_600, 1),
  input: [
    ...numbers(6).flatMap((turn) => [
      { type: 'message', role: 'user', content: prose(200, turn) },
      { type: 'function_call', call_id: `call_${turn}`, name: `tool_${turn}`, arguments: JSON.stringify({ field_1: prose(80, turn) }) },
      { type: 'function_call_output', call_id: `call_${turn}`, output: prose(620, turn + 50) },
      { type: 'message', role: 'assistant', content: prose(240, turn + 90) },
    ]),
    { type: 'message', role: 'user', content: 'Go on.' },
  ],
  tools: numbers(10).map((seed) => ({ type: 'function', ...tool(seed) })),
  tool_choice: 'auto',
  temperature: 0.2,
  store: false,
};

/** The same words as in `smallChat`, streamed. */
export const streamedResponses: Json = {
  model,
  instructions: 'You are brief.',
  input: [
    { role: 'user', content: 'What is a gateway?' },
    { role: 'assistant', content: 'A door between two networks.' },
    { role: 'user', content: 'And a model gateway?' },
  ],
  store: false,
  stream: true,
};

export const streamedChat: Json = { ...smallChat, stream: true };
export const pacedChat: Json = { model, messages: [{ role: 'user', content: `${pacedMark} Speak slowly.` }], stream: true };
