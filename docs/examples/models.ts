/** Examples of the model list. */
import type { Model, ModelList } from '../../contract/models.ts';
import type { OperationExamples } from './example.ts';

const textModel: Model = {
  id: 'gpt-5.4',
  object: 'model',
  created: 1790000000,
  owned_by: 'openai',
  context_window: 400_000,
  max_output_tokens: 128_000,
  pricing: {
    input: '1.250000',
    cached_input: '0.125000',
    cache_write: '1.250000',
    cache_write_1h: '1.250000',
    cache_write_12h: '1.250000',
    output: '10.000000',
    tools: { web_search_call: '0.010000' },
  },
  capabilities: {
    tools: true,
    hosted_tools: true,
    parallel_tool_calls: true,
    image_input: true,
    structured_output: 'schema',
    reasoning_effort: true,
  },
};

const imageModel: Model = {
  id: 'gpt-image-2',
  object: 'model',
  created: 1790000000,
  owned_by: 'openai',
  context_window: null,
  max_output_tokens: null,
  pricing: { images: { '*/low': '0.016000', '*/medium': '0.063000', default: '0.250000' } },
  capabilities: {
    tools: false,
    hosted_tools: false,
    parallel_tool_calls: false,
    image_input: true,
    structured_output: 'none',
    reasoning_effort: false,
  },
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
    nothing: { summary: 'A key that may call no model', value: nothing },
  },
};
