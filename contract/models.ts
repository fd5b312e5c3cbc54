/** The list of models, and a single model. */
import { z } from 'zod';
import { Abilities, ModelPricing } from './catalog.ts';
import { Id, UnixSeconds } from './shared/bounds.ts';
import { createTypeField } from './shared/descriptions.ts';

/** Ignores unknown query parameters, because SDKs add their own. */
export const ModelQuery = z.looseObject({
  client_version: z
    .string()
    .optional()
    .meta({
      description: "Optional. Sent by the Codex CLI, which then also gets the list in its own format. The value doesn't matter.",
      examples: ['0.169.0'],
    }),
});

export const Model = z
  .object({
    id: z.string().meta({ description: 'The model ID to use in requests.', examples: ['gpt-5.4'] }),
    object: createTypeField('model'),
    created: UnixSeconds.describe('The release date of the model, as configured, or else a fixed time. A Unix timestamp in seconds.'),
    owned_by: z
      .string()
      .meta({ description: 'The owner of the model, as configured, or else the name of its upstream.', examples: ['openai'] }),
    context_window: z.int().nullable().describe('The size of the context window in tokens, including the output. Null if unknown.'),
    max_output_tokens: z.int().nullable().describe('Maximum number of output tokens per response. Null for image models.'),
    pricing: ModelPricing.nullable().describe(
      'The prices you pay: those of your plan, times the multiplier of your group. Null when billing is off.',
    ),
    capabilities: Abilities.describe('The features that calls to the model can use.'),
  })
  .meta({ id: 'Model', description: 'A model that your key can call.' });
export type Model = z.infer<typeof Model>;

export const ModelPathParams = z.object({
  model: Id.describe('The `id` of a model from the list.'),
});

const CodexModel = z
  .looseObject({ slug: z.string().describe('The ID of the model. The other fields are private to the Codex CLI.') })
  .meta({ id: 'CodexModel', description: "A text model in the Codex CLI's format.", additionalProperties: true });

export const ModelList = z
  .object({
    object: createTypeField('list'),
    data: z.array(Model).meta({ description: 'The models that your key can call, in a stable order.' }),
    models: z
      .array(CodexModel)
      .optional()
      .meta({ description: "The text models in the Codex CLI's format. Omitted unless the query contains `client_version`." }),
  })
  .meta({
    id: 'ModelList',
    description: 'The models that your key can call.',
  });
export type ModelList = z.infer<typeof ModelList>;
