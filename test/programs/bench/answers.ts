/** What the benchmark's vendor answers, made once and sent as the same bytes each time; callers check that they get it. */
import { model } from './payloads.ts';

/** About 1 KB with all around it. */
export const answerText = 'A model gateway stands between the people who hold keys and the models that serve them. '.repeat(6).trim();
/** What each event of a stream says. */
export const word = 'token ';
/** How an event with content is told, by the protocol of the caller. */
export const contentMarks = { chat: Buffer.from(`"delta":{"content":"${word}"}`), responses: Buffer.from(`"delta":"${word}"`) } as const;
export const doneMark = Buffer.from('data: [DONE]\n\n');
/** Events with content in a stream at full speed, and in a paced one (5 seconds). */
export const fullSpeedEvents = 200;
export const pacedEvents = 100;

const usage = {
  prompt_tokens: 40,
  completion_tokens: 200,
  total_tokens: 240,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

export const chatAnswer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answerText, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
    service_tier: 'default',
    system_fingerprint: 'fp_bench',
  }),
);

export const responseAnswer = Buffer.from(
  JSON.stringify({
    id: 'resp_bench',
    object: 'response',
    created_at: 1_790_000_000,
    completed_at: 1_790_000_001,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    model,
    output: [
      {
        id: 'msg_bench',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: answerText, annotations: [], logprobs: [] }],
      },
    ],
    previous_response_id: null,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    reasoning: { effort: 'medium', summary: null },
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    max_output_tokens: null,
    max_tool_calls: null,
    truncation: 'disabled',
    store: false,
    background: false,
    service_tier: 'default',
    metadata: {},
    safety_identifier: null,
    prompt_cache_key: 'bench-thread',
    user: null,
    usage: {
      input_tokens: 12_000,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 120,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 12_120,
    },
  }),
);

function chunk(choices: readonly unknown[], rest: Readonly<Record<string, unknown>>): Buffer {
  const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_790_000_000, model };
  return Buffer.from(`data: ${JSON.stringify({ ...head, choices, ...rest })}\n\n`);
}

export interface Transcript {
  readonly first: Buffer;
  readonly content: Buffer;
  readonly last: readonly Buffer[];
}

/** The usage chunk, and `usage: null` on the others, come only where they were asked for. */
export function transcript(isUsageAsked: boolean): Transcript {
  const rest = isUsageAsked ? { usage: null } : {};
  const choice = (delta: object, finish_reason: string | null): unknown => ({ index: 0, delta, logprobs: null, finish_reason });
  const finish = chunk([choice({}, 'stop')], rest);
  return {
    first: chunk([choice({ role: 'assistant', content: '', refusal: null }, null)], rest),
    content: chunk([choice({ content: word }, null)], rest),
    last: [finish, ...(isUsageAsked ? [chunk([], { usage })] : []), doneMark],
  };
}
