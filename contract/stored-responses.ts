/** Stored responses: reading one again, deleting it, and paging through what went into it. */
import { z } from 'zod';
import { Id } from './bounds.ts';
import { isFields, type RuleIssue, rule } from './rule.ts';
import { kind } from './wording.ts';

export const ResponsePath = z.object({
  response_id: Id.describe('The `id` of a response that was stored for this account.'),
});

const RESUME = 'A stream that has been read is not resumable: leave this out to get the finished response.';

/** An empty stream would look like an answer. */
function* resumed(query: unknown): Generator<RuleIssue> {
  if (!isFields(query)) return;
  if (query.stream === true)
    yield { path: ['stream'], message: `'stream' is not supported here. ${RESUME}`, code: 'unsupported_parameter' };
  if (query.starting_after !== undefined) {
    yield { path: ['starting_after'], message: `'starting_after' is not supported here. ${RESUME}`, code: 'unsupported_parameter' };
  }
}

// `as`: true is refused by the rule, in its own words. To say so by the schema would give another error.
const never = z.boolean().meta({ const: false }) as unknown as z.ZodType<false, false>;

export const StoredResponseQuery = z
  .looseObject({
    stream: never
      .optional()
      .describe('Whether to stream the answer, of which only false is taken: a stream that has been read is not resumable. Absent: false.'),
  })
  .check(rule(resumed));

export const DeletedResponse = z
  .object({
    id: z.string().describe('Id of the response that was deleted.'),
    object: kind('response'),
    deleted: z.literal(true).describe('Always true: what is not there to be deleted is 404.'),
  })
  .meta({ id: 'DeletedResponse', description: 'A response that was just deleted: it can no longer be read, nor gone on from.' });
export type DeletedResponse = z.infer<typeof DeletedResponse>;

/** Items on a page where the caller names no number. */
export const PAGE_LENGTH = 20;

export const InputItemQuery = z.looseObject({
  limit: z.int().min(1).max(100).optional().describe(`Most items to return; fewer where they are large. Absent: ${PAGE_LENGTH}.`),
  order: z.enum(['asc', 'desc']).optional().describe('`asc`: oldest first. Absent: `desc`, newest first.'),
  after: Id.optional().describe('Id of the item to go on after: `last_id` of the page before. Absent: the first page.'),
});
export type InputItemQuery = z.infer<typeof InputItemQuery>;

export const StoredItem = z
  .looseObject({
    id: z.string().describe('Id of the item: as it was given, or made here where it came without one.'),
    type: z.string().describe('Kind of the item, such as `message`, `function_call` or `function_call_output`.'),
    role: z.string().nullish().describe('Who speaks, of a message. Absent for other items.'),
    content: z
      .unknown()
      .optional()
      .describe('The parts of a message; one that was given as a string is one part here. Absent for other items.'),
  })
  .meta({
    id: 'StoredItem',
    description: 'An item that the model was given: of the request, or of the turns before it in the chain.',
    additionalProperties: true,
  });
export type StoredItem = z.infer<typeof StoredItem>;

export const InputItemList = z
  .object({
    object: kind('list'),
    data: z.array(StoredItem).describe('The items of this page, in the order that was asked for.'),
    first_id: z.string().nullable().describe('Id of the first item of this page. Null where the page is empty.'),
    last_id: z
      .string()
      .nullable()
      .describe('Id of the last item of this page, which goes into `after` of the next call. Null where the page is empty.'),
    has_more: z.boolean().describe('Whether there are items behind this page.'),
  })
  .meta({ id: 'InputItemList', description: 'One page of the input of a stored response.' });
export type InputItemList = z.infer<typeof InputItemList>;
