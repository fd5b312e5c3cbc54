/** Example responses of the responses operation. */
import type { OutputItem } from '../../../contract/responses/items.ts';
import type { Response } from '../../../contract/responses.ts';
import type { OperationExamples } from './example.ts';
import { responseRequests } from './response-requests.ts';
import { responseStreams } from './response-streams.ts';

const message = (text: string, status: 'completed' | 'incomplete' = 'completed'): OutputItem => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status,
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});

const reasoning: OutputItem = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'A walk by the fjord first, then a museum.' }],
  encrypted_content: 'b3BhcXVl',
};

const functionCall: OutputItem = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Oslo"}',
  status: 'completed',
};

const echoed = {
  instructions: null,
  previous_response_id: null,
  tools: [],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  reasoning: { effort: null, summary: null },
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  max_output_tokens: null,
  max_tool_calls: null,
  truncation: 'disabled',
  store: true,
  background: false,
  service_tier: 'default',
  metadata: {},
  safety_identifier: null,
  prompt_cache_key: null,
};

function answer(output: OutputItem[], more: Readonly<Record<string, unknown>> = {}): Response {
  return {
    id: 'resp_5b17d0',
    object: 'response',
    created_at: 1790000000,
    completed_at: 1790000002,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'gpt-5.4',
    output,
    ...echoed,
    usage: {
      input_tokens: 14,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 12,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 26,
    },
    ...more,
  };
}

const cutShort = { status: 'incomplete', completed_at: null, incomplete_details: { reason: 'max_output_tokens' } };

export const responseExamples: OperationExamples = {
  requests: responseRequests,
  answers: {
    text: { summary: 'A text', value: answer([message('Air scatters blue light more than red.')]) },
    functionCall: { summary: 'A function call, without text', value: answer([functionCall]) },
    structured: {
      summary: 'JSON that follows a schema',
      value: answer([message('{"title":"Lunch","day":"Friday","people":["Ada"]}')]),
    },
    reasoning: {
      summary: 'Reasoning before the message',
      value: answer([reasoning, message('Start with a walk along the fjord.')], { store: false }),
    },
    incomplete: { summary: 'Ended early by an output limit', value: answer([message('Air scatters', 'incomplete')], cutShort) },
  },
  streams: responseStreams,
};
