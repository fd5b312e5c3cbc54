/** Examples of the model list. */
import type { Model, ModelList } from '../../contract/models.ts';
import type { OperationExamples } from './example.ts';

const textModel: Model = { id: 'gpt-5.4', object: 'model', created: 1790000000, owned_by: 'openai' };

const catalog: ModelList = {
  object: 'list',
  data: [
    textModel,
    { id: 'gpt-5.4-mini', object: 'model', created: 1790000000, owned_by: 'openai' },
    { id: 'gpt-image-2', object: 'model', created: 1790000000, owned_by: 'openai' },
  ],
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
