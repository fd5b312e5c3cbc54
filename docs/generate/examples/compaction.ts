/** Examples of the operation that compacts a conversation. */
import type { CompactedResponse, CompactionRequest } from '../../../contract/responses/compact.ts';
import type { Example, OperationExamples } from './example.ts';

const model = 'gpt-5.4';
const show = (summary: string, value: CompactionRequest): Example => ({ summary, value });

const compacted: CompactedResponse = {
  id: 'resp_9c42e1',
  object: 'response.compaction',
  created_at: 1_795_914_041,
  output: [
    {
      id: 'msg_4f1c',
      type: 'message',
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: 'Plan a day in Oslo.' }],
    },
    { id: 'cmp_7d20', type: 'compaction', encrypted_content: 'b3BhcXVl' },
  ],
  usage: {
    input_tokens: 1_390,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 420,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1_810,
  },
};

export const compactionExamples: OperationExamples = {
  requests: {
    items: show('A conversation as items', {
      model,
      input: [
        { role: 'user', content: 'Plan a day in Oslo.' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A walk by the fjord first, then a museum.' }] },
      ],
    }),
    chained: show('A stored conversation', { model, previous_response_id: 'resp_5b17d0' }),
    both: show('A stored conversation and its next message', {
      model,
      previous_response_id: 'resp_5b17d0',
      instructions: 'You plan trips.',
      input: 'The museum is closed.',
    }),
  },
  answers: { compacted: { summary: 'The items to continue from', value: compacted } },
};
