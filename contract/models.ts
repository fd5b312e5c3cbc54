/** The model list (specification 2.1 and 4.1). */
import { z } from 'zod';
import { Id, UnixSeconds } from './bounds.ts';

/** SDKs send fields of their own: they are passed over. */
export const ModelQuery = z.looseObject({
  client_version: z
    .string()
    .optional()
    .meta({
      description: 'Sent by the Codex CLI, which gets the list in its own format, too. Its value does not matter.',
      examples: ['0.169.0'],
    }),
});

export const Model = z
  .object({
    id: z.string().meta({ description: 'Model id to put into requests.', examples: ['gpt-5.4'] }),
    object: z.literal('model'),
    created: UnixSeconds,
    owned_by: z.string().meta({ description: 'Where the model comes from.', examples: ['openai'] }),
  })
  .meta({ id: 'Model', description: 'One model that the key can call.' });
export type Model = z.infer<typeof Model>;

/** Where one model is asked for. */
export const ModelPath = z.object({
  model: Id.describe('The `id` of a model of the list.'),
});

export const ModelList = z
  .object({
    object: z.literal('list'),
    data: z.array(Model).meta({ description: 'The models that the key can call, in a stable order.' }),
    models: z
      .array(z.looseObject({ slug: z.string() }))
      .optional()
      .meta({ description: 'The same text models in the format of the Codex CLI; only where `client_version` is in the query.' }),
  })
  .meta({
    id: 'ModelList',
    description: 'Everything listed can be called with the key in use, and everything that can be called is listed.',
  });
export type ModelList = z.infer<typeof ModelList>;
