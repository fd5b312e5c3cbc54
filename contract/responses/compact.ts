/** Compacts a conversation in one call: the request, and the items to continue from. */
import { z } from 'zod';
import { ResponseRequest, ResponseUsage } from '../responses.ts';
import { toNullish } from '../shared/bounds.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { misplacedInResponses, rejectMisplacedFields } from '../shared/misplaced-fields.ts';
import { createRule, type Fields, isSet, type RuleIssue } from '../shared/rules.ts';
import { MessagePart } from './parts.ts';
import { responseRules } from './rules.ts';

const { model, input, instructions, previous_response_id, service_tier, image } = ResponseRequest.shape;
const { prompt_cache_key, prompt_cache_retention, prompt_cache_options } = ResponseRequest.shape;

function* checkConversation(body: Fields): Generator<RuleIssue> {
  if (isSet(body.input) || isSet(body.previous_response_id)) return;
  yield { path: ['input'], message: "Send 'input', 'previous_response_id', or both.", code: 'missing_required_parameter' };
}

export const CompactionRequest = z
  .looseObject({
    model,
    input: toNullish(input).describe(
      'The conversation: a string, which becomes a user message, or its items. Omit only if you send `previous_response_id`.',
    ),
    previous_response_id: previous_response_id.describe(
      'The ID of a stored response of your account. Its items and those of earlier turns are compacted, followed by `input`. Omit to compact only `input`.',
    ),
    instructions: instructions.describe('Optional. The system prompt of the conversation. It guides the summary but is not part of it.'),
    prompt_cache_key,
    prompt_cache_retention,
    prompt_cache_options,
    service_tier,
    image,
  })
  .check(rejectMisplacedFields(misplacedInResponses), ...responseRules, createRule<Fields>(checkConversation))
  .meta({
    id: 'CompactionRequest',
    description:
      "The conversation to compact. It's neither streamed nor stored, and the model gets no tools. All other fields are dropped and listed in `x-modelgate-dropped`.",
    examples: [{ model: 'gpt-5.4', input: [{ role: 'user', content: 'Plan a day in Oslo.' }] }],
  });
export type CompactionRequest = z.infer<typeof CompactionRequest>;

const itemId = z.string().describe('The ID of the item.');

const KeptMessage = z
  .looseObject({
    type: createTypeField('message'),
    id: itemId,
    role: createTypeField('user', 'The role of the author'),
    status: createTypeField('completed', 'The status of the message'),
    content: z.array(MessagePart).describe('The parts of the message.'),
  })
  .meta({ id: 'KeptMessage', description: 'A message of the user, from the conversation.' });

const CompactedConversation = z
  .looseObject({
    type: createTypeField('compaction'),
    id: itemId,
    encrypted_content: z.string().describe('The encrypted conversation. Send it back unchanged.'),
  })
  .meta({ id: 'CompactedConversation', description: 'An item that replaces all items before it.' });

const CompactedItem = z
  .discriminatedUnion('type', [KeptMessage, CompactedConversation])
  .meta({ id: 'CompactedItem', description: 'An item to continue from, with the type in `type`.' });

export const CompactedResponse = z
  .looseObject({
    id: z.string().describe("The ID of the compaction. It isn't stored, so it can't be retrieved or continued."),
    object: createTypeField('response.compaction'),
    created_at: z.number().describe('When the conversation was compacted, as a Unix timestamp in seconds.'),
    output: z
      .array(CompactedItem)
      .describe('The items to continue from: all messages of the user, then one `compaction` item. Send them before your next input.'),
    usage: ResponseUsage.describe('The tokens used by the compaction, which are charged.'),
  })
  .meta({ id: 'CompactedResponse', description: 'A compacted conversation.' });
export type CompactedResponse = z.infer<typeof CompactedResponse>;
