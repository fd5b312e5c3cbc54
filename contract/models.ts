/** The model list. */
import { z } from 'zod';
import { Abilities, CatalogPrices } from './catalog.ts';
import { Id, UnixSeconds } from './shared/bounds.ts';
import { kind } from './shared/descriptions.ts';

/** SDKs add query parameters of their own; unknown ones are ignored. */
export const ModelQuery = z.looseObject({
  client_version: z
    .string()
    .optional()
    .meta({
      description:
        'The Codex CLI sends it and gets the list in its own format as well. The value does not matter. Absent: the answer has the list only.',
      examples: ['0.169.0'],
    }),
});

export const Model = z
  .object({
    id: z.string().meta({ description: 'Model id for requests.', examples: ['gpt-5.4'] }),
    object: kind('model'),
    created: UnixSeconds.describe('Release date of the model, as configured, else a fixed time; in seconds since 1970-01-01 UTC.'),
    owned_by: z.string().meta({ description: 'Owner of the model: as configured, else the name of its upstream.', examples: ['openai'] }),
    context_window: z.int().nullable().describe('Size of the context window in tokens, including the response. Null when unknown.'),
    max_output_tokens: z.int().nullable().describe('The most tokens of one response. Null for image models.'),
    pricing: CatalogPrices.nullable().describe(
      'What your key pays: the prices of your plan with the multiplier of your group. Null when calls are not charged.',
    ),
    capabilities: Abilities.describe('What a call of the model can use.'),
  })
  .meta({ id: 'Model', description: 'One model that the key can call.' });
export type Model = z.infer<typeof Model>;

/** Path of one model. */
export const ModelPath = z.object({
  model: Id.describe('The `id` of a model of the list.'),
});

const CodexModel = z
  .looseObject({ slug: z.string().describe('Id of the model; the other fields are private to the Codex CLI.') })
  .meta({ id: 'CodexModel', description: 'A text model in the format of the Codex CLI.', additionalProperties: true });

export const ModelList = z
  .object({
    object: kind('list'),
    data: z.array(Model).meta({ description: 'The models that the key can call, in a stable order.' }),
    models: z
      .array(CodexModel)
      .optional()
      .meta({ description: 'The same text models in the format of the Codex CLI; absent unless `client_version` is in the query.' }),
  })
  .meta({
    id: 'ModelList',
    description: 'Exactly the models that this key can call.',
  });
export type ModelList = z.infer<typeof ModelList>;
