/** Stored responses: read one, delete it, list its input. */
import { z } from 'zod';
import { Id } from '../shared/bounds.ts';
import { kind } from '../shared/descriptions.ts';
import { isFields, type RuleIssue, rule } from '../shared/rules.ts';

export const ResponsePath = z.object({
  response_id: Id.describe('The `id` of a response that was stored for this account.'),
});

const RESUME = 'A stream cannot be resumed: leave this out to get the finished response.';

/** Rejected, because an empty stream would look like an answer. */
function* resumed(query: unknown): Generator<RuleIssue> {
  if (!isFields(query)) return;
  if (query.stream === true)
    yield { path: ['stream'], message: `'stream' is not supported here. ${RESUME}`, code: 'unsupported_parameter' };
  if (query.starting_after !== undefined) {
    yield { path: ['starting_after'], message: `'starting_after' is not supported here. ${RESUME}`, code: 'unsupported_parameter' };
  }
}

// `as`: the rule refuses true with its own message; the schema would give a different error.
const never = z.boolean().meta({ const: false }) as unknown as z.ZodType<false, false>;

export const StoredResponseQuery = z
  .looseObject({
    stream: never
      .optional()
      .describe('Whether to stream the answer. Only false is supported: a stream cannot be resumed. Defaults to false.'),
  })
  .check(rule(resumed));

export const DeletedResponse = z
  .object({
    id: z.string().describe('Id of the response that was deleted.'),
    object: kind('response'),
    deleted: z.literal(true).describe('Always true: a response that does not exist is 404.'),
  })
  .meta({ id: 'DeletedResponse', description: 'A deleted response: it can no longer be read or continued.' });
export type DeletedResponse = z.infer<typeof DeletedResponse>;

/** Items on a page when the caller gives no `limit`. */
export const PAGE_LENGTH = 20;

export const InputItemQuery = z.looseObject({
  limit: z.int().min(1).max(100).optional().describe(`The most items to return; fewer when they are large. Absent: ${PAGE_LENGTH}.`),
  order: z.enum(['asc', 'desc']).optional().describe('`asc`: oldest first. Absent: `desc`, newest first.'),
  after: Id.optional().describe('Id of the item after which to continue: `last_id` of the page before. Omit for the first page.'),
});
export type InputItemQuery = z.infer<typeof InputItemQuery>;

export const StoredItem = z
  .looseObject({
    id: z.string().describe('Id of the item: from the request, or made by the gateway.'),
    type: z.string().describe('Kind of the item, such as `message`, `function_call` or `function_call_output`.'),
    role: z.string().nullish().describe('Role of the author of a message. Absent for other items.'),
    content: z.unknown().optional().describe('The parts of a message; a string becomes one part. Absent for other items.'),
  })
  .meta({
    id: 'StoredItem',
    description: 'An item of the input: from the request, or from earlier turns.',
    additionalProperties: true,
  });
export type StoredItem = z.infer<typeof StoredItem>;

export const InputItemList = z
  .object({
    object: kind('list'),
    data: z.array(StoredItem).describe('The items of this page, in the requested order.'),
    first_id: z.string().nullable().describe('Id of the first item of this page. Null when the page is empty.'),
    last_id: z.string().nullable().describe('Id of the last item of this page, for `after` of the next call. Null when the page is empty.'),
    has_more: z.boolean().describe('Whether more items follow this page.'),
  })
  .meta({ id: 'InputItemList', description: 'One page of the input of a stored response.' });
export type InputItemList = z.infer<typeof InputItemList>;

export const InputTokens = z
  .object({
    object: kind('response.input_tokens'),
    input_tokens: z.int().min(1).describe('Input tokens that the request would use.'),
    estimated: z
      .boolean()
      .describe(
        'Whether Modelgate estimated them, because the provider of the model has no count. Images and files are not in an estimate.',
      ),
  })
  .meta({ id: 'InputTokens', description: 'The input tokens of a request that was not made.' });
export type InputTokens = z.infer<typeof InputTokens>;
