/** `azure`, `aws` and `google` of an upstream: the cloud that serves it, from which its address follows. */
import { z } from 'zod';

/** A label of a host name. */
const Label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must have lower-case letters, digits and hyphens');

export const Azure = z.strictObject({
  resource: Label.meta({ description: 'The name of the resource, the first part of its address.', examples: ['contoso'] }),
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(?:-preview)?$/, 'must be a date, as in 2024-10-21')
    .optional()
    .meta({
      description: 'Only for the older addresses with a version: the deployment is then a part of the path. Without it: `/openai/v1`.',
      examples: ['2024-10-21'],
    }),
});

export const Aws = z.strictObject({
  region: Label.meta({ description: 'The Region that serves the models.', examples: ['eu-central-1'] }),
  endpoint: z
    .enum(['runtime', 'mantle'])
    .default('runtime')
    .meta({ description: 'Which of the two hosts of Bedrock: `bedrock-runtime` or `bedrock-mantle`.', examples: ['mantle'] }),
});

export const Google = z.strictObject({
  project: z
    .string()
    .regex(/^[a-z][a-z0-9.:-]{2,99}$/, 'must be the id of a project')
    .optional()
    .meta({ description: 'The id of the project. Leave it out with a key of express mode.', examples: ['my-project'] }),
  location: Label.optional().meta({
    description: 'The location that serves the models: `global`, `us`, `eu` or a region. Default: `global`.',
    examples: ['europe-west1'],
  }),
});
