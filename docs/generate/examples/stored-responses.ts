/** Examples of the operations on stored responses. */
import type { DeletedResponse, InputItemList, InputTokens } from '../../../contract/responses/stored.ts';
import type { Response } from '../../../contract/responses.ts';
import type { OperationExamples } from './example.ts';
import { responseExamples } from './responses.ts';

/** Reading a stored response returns exactly the response that was created. */
export const storedExamples: OperationExamples = { answers: responseExamples.answers, streams: responseExamples.streams };

const cancelled: Response = {
  id: 'resp_5b17d0',
  object: 'response',
  created_at: 1_795_914_041,
  completed_at: null,
  status: 'cancelled',
  background: true,
  error: null,
  model: 'gpt-5.4',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'incomplete',
      content: [{ type: 'output_text', text: 'Air scatters', annotations: [] }],
    },
  ],
  previous_response_id: null,
  store: true,
  usage: null,
};

export const cancellationExamples: OperationExamples = {
  answers: { cancelled: { summary: 'A canceled response, with the output until then', value: cancelled } },
};

const deleted: DeletedResponse = { id: 'resp_5b17d0', object: 'response', deleted: true };

export const deletionExamples: OperationExamples = { answers: { deleted: { summary: 'A deleted response', value: deleted } } };

const counted: InputTokens = { object: 'response.input_tokens', input_tokens: 4_211, estimated: false };

export const countExamples: OperationExamples = {
  requests: responseExamples.requests,
  answers: {
    counted: { summary: 'Counted by the provider', value: counted },
    estimated: {
      summary: "Estimated, because the provider can't count tokens",
      value: { ...counted, input_tokens: 4_180, estimated: true },
    },
  },
};

const question = { id: 'msg_4f1c', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Why is the sky blue?' }] };
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Air scatters blue light more than red.', annotations: [] }],
};
const more = { id: 'msg_90ab', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And at sunset?' }] };

const whole: InputItemList = { object: 'list', data: [question], first_id: 'msg_4f1c', last_id: 'msg_4f1c', has_more: false };
const chained: InputItemList = {
  object: 'list',
  data: [more, answer, question],
  first_id: 'msg_90ab',
  last_id: 'msg_4f1c',
  has_more: false,
};
const page: InputItemList = { object: 'list', data: [more], first_id: 'msg_90ab', last_id: 'msg_90ab', has_more: true };

export const inputItemExamples: OperationExamples = {
  answers: {
    single: { summary: 'A response that started a conversation', value: whole },
    chained: { summary: 'A response that continued another one, newest first', value: chained },
    page: { summary: 'The first page with `limit=1`', value: page },
  },
};
