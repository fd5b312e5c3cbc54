/** Stored responses: retrieve or delete one, and list its input. */
import { z } from 'zod';
import { Id } from '../shared/bounds.ts';
import { createTypeField } from '../shared/descriptions.ts';

export const ResponsePathParams = z.object({
  response_id: Id.describe('The `id` of a response that is stored for your account.'),
});

export const StoredResponseQuery = z.looseObject({
  stream: z
    .boolean()
    .optional()
    .describe(
      'Whether to stream the events of the response, from the first one or after `starting_after`. The stream continues while the response runs. Events are kept for 10 minutes after the end. Defaults to false.',
    ),
  starting_after: z
    .int()
    .min(0)
    .optional()
    .describe('With `stream`, the `sequence_number` of the last event that you have. Defaults to all events.'),
  include_obfuscation: z.boolean().optional().describe('Accepted for clients of OpenAI; events are sent as they were. Optional.'),
});

/** ts-rest requires a body for each POST. Some clients send an empty object. */
export const NoBody = z.looseObject({}).optional();

export const DeletedResponse = z
  .object({
    id: z.string().describe('The ID of the deleted response.'),
    object: createTypeField('response'),
    deleted: z.literal(true).describe("Always true. A response that doesn't exist returns 404."),
  })
  .meta({ id: 'DeletedResponse', description: 'A deleted response. It can no longer be read or continued.' });
export type DeletedResponse = z.infer<typeof DeletedResponse>;

/** Default of `limit`: items per page. */
export const PAGE_LENGTH = 20;

export const InputItemQuery = z.looseObject({
  limit: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(`Maximum number of items to return, from 1 to 100; fewer if they're large. Defaults to ${PAGE_LENGTH}.`),
  order: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('The order of the items: `asc` for oldest first, `desc` for newest first. Defaults to `desc`.'),
  after: Id.optional().describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
});
export type InputItemQuery = z.infer<typeof InputItemQuery>;

export const StoredItem = z
  .looseObject({
    id: z.string().describe('The ID of the item, from the request or assigned by the gateway.'),
    type: z.string().describe('The type of the item, such as `message`, `function_call`, or `function_call_output`.'),
    role: z.string().nullish().describe("The role of a message's author. Omitted for other items."),
    content: z.unknown().optional().describe('The parts of a message. A string becomes one part. Omitted for other items.'),
  })
  .meta({
    id: 'StoredItem',
    description: 'An input item, from the request or from an earlier turn.',
    additionalProperties: true,
  });
export type StoredItem = z.infer<typeof StoredItem>;

export const InputItemList = z
  .object({
    object: createTypeField('list'),
    data: z.array(StoredItem).describe('The items of this page, in the requested order.'),
    first_id: z.string().nullable().describe('The ID of the first item of this page. Null if the page is empty.'),
    last_id: z
      .string()
      .nullable()
      .describe('The ID of the last item of this page. Send it as `after` to get the next page. Null if the page is empty.'),
    has_more: z.boolean().describe('Whether there are more items after this page.'),
  })
  .meta({ id: 'InputItemList', description: 'A page of the input of a stored response.' });
export type InputItemList = z.infer<typeof InputItemList>;

export const InputTokens = z
  .object({
    object: createTypeField('response.input_tokens'),
    input_tokens: z.int().min(1).describe('The number of input tokens that the request would use.'),
    estimated: z
      .boolean()
      .describe(
        "Whether the gateway estimated the number because the model's provider can't count tokens. Estimates don't include images and files.",
      ),
  })
  .meta({ id: 'InputTokens', description: 'The number of input tokens of a request.' });
export type InputTokens = z.infer<typeof InputTokens>;
