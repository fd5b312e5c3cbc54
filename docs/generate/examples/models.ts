/** Examples of the model list. */
import type { Model, ModelList } from '../../../contract/models.ts';
import type { ProtocolList } from '../../../contract/protocol.ts';
import { imageAbilities, textAbilities, tokenPrices } from './catalog.ts';
import type { OperationExamples } from './example.ts';

const textModel: Model = {
  id: 'gpt-5.4',
  object: 'model',
  created: 1790000000,
  owned_by: 'openai',
  context_window: 400_000,
  max_output_tokens: 128_000,
  pricing: tokenPrices,
  capabilities: textAbilities,
};

const imageModel: Model = {
  id: 'gpt-image-2',
  object: 'model',
  created: 1790000000,
  owned_by: 'openai',
  context_window: null,
  max_output_tokens: null,
  pricing: { images: { '*/low': '0.016000', '*/medium': '0.063000', default: '0.250000' } },
  capabilities: imageAbilities,
};

const catalog: ModelList = {
  object: 'list',
  data: [textModel, imageModel],
};

const nothing: ModelList = { object: 'list', data: [] };

export const oneModelExamples: OperationExamples = {
  answers: { text: { summary: 'A text model', value: textModel } },
};

export const modelExamples: OperationExamples = {
  answers: {
    catalog: { summary: 'Text models and an image model', value: catalog },
    nothing: { summary: "A key that can't call any model", value: nothing },
  },
};

/** For a model on an Anthropic upstream, and a key that can use only chat. The lists are shortened. */
const protocols: ProtocolList = {
  object: 'list',
  data: [
    {
      id: 'claude-sonnet-4-5',
      object: 'model.protocol',
      upstreams: [
        {
          protocols: ['anthropic'],
          operations: [
            {
              operation: 'createChatCompletion',
              protocol: 'anthropic',
              calls: 'all',
              forwarded: ['model', 'stream', 'temperature', 'top_p'],
              translated: ['max_completion_tokens', 'messages', 'reasoning_effort', 'response_format', 'stop', 'tool_choice', 'tools'],
              dropped: ['metadata', 'safety_identifier', 'service_tier', 'user', 'verbosity'],
              rejected: ['logit_bias', 'logprobs', 'n', 'presence_penalty', 'seed', 'temperature'],
            },
          ],
        },
      ],
    },
  ],
};

export const protocolExamples: OperationExamples = {
  answers: { anthropic: { summary: 'A model on an Anthropic upstream', value: protocols } },
};
