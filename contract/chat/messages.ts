/** Messages of a chat request. */
import { z } from 'zod';
import { AudioClip, CacheBreakpoint, Id, Label, MAX_PARTS, MAX_TOOLS, maybe, Text } from '../shared/bounds.ts';
import { DETAIL_TEXT, deprecated, kind } from '../shared/descriptions.ts';

const cache = { prompt_cache_breakpoint: maybe(CacheBreakpoint) };

export const ChatTextPart = z
  .looseObject({ type: kind('text'), text: Text.describe('The text itself. It may be empty.'), ...cache })
  .meta({ id: 'ChatTextPart', description: 'A piece of text in a message.' });

const ImageAddress = Text.min(1);
const ChatImageAddress = z
  .looseObject({
    url: ImageAddress.describe(
      'A data URL, or an https address that the upstream can fetch. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400.',
    ),
    detail: maybe(z.enum(['auto', 'low', 'high', 'original'])).describe(DETAIL_TEXT),
  })
  .meta({ id: 'ChatImageAddress', description: 'Address of an image, and how closely the model looks at it.' });

const ChatImagePart = z
  .looseObject({
    type: kind('image_url'),
    image_url: z
      .union([ImageAddress.describe('The address alone.'), ChatImageAddress])
      .describe('The image: an object with its address, or the address alone.'),
    ...cache,
  })
  .meta({ id: 'ChatImagePart', description: 'An image in a message of a user.' });

const ChatAudioPart = z
  .looseObject({ type: kind('input_audio'), input_audio: AudioClip.describe('The audio and its encoding.'), ...cache })
  .meta({ id: 'ChatAudioPart', description: 'Audio in a message of a user. Anthropic and Gemini upstreams take none: 400.' });

const ChatFilePart = z
  .looseObject({
    type: kind('file'),
    file: z
      .looseObject({
        filename: maybe(Label).describe('Name of the file, up to 512 characters. Absent: the model gets no name.'),
        file_data: maybe(Text).describe(
          'The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_id`.',
        ),
        file_id: maybe(Id).describe(
          'Id of a file that the upstream stores, instead of `file_data`. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the file is in `file_data`.',
        ),
      })
      .describe('The file: either its data or its id.'),
    ...cache,
  })
  .meta({ id: 'ChatFilePart', description: 'A document in a message of a user.' });

const ChatRefusalPart = z
  .looseObject({ type: kind('refusal'), refusal: Text.describe('What the model said when it refused.') })
  .meta({ id: 'ChatRefusalPart', description: 'A refusal of an earlier answer, sent back as a part.' });

const ChatThoughtText = z
  .looseObject({ type: kind('text'), text: Text.describe('The thought.') })
  .meta({ id: 'ChatThoughtText', description: 'A piece of what a model thought.' });

const ChatThinkingPart = z
  .looseObject({
    type: kind('thinking'),
    thinking: z
      .union([Text, z.array(ChatThoughtText).max(MAX_PARTS)])
      .describe(`What the model thought: a string, or up to ${MAX_PARTS} parts of text.`),
  })
  .meta({
    id: 'ChatThinkingPart',
    description:
      'Thoughts of an earlier answer, as some chat vendors write them. Sent back to a vendor that takes them; left out elsewhere, and named in `x-modelgate-ignored`.',
  });

const texts = z.union([Text, z.array(ChatTextPart).min(1).max(MAX_PARTS)]);
const ChatUserPart = z
  .discriminatedUnion('type', [ChatTextPart, ChatImagePart, ChatAudioPart, ChatFilePart])
  .meta({ id: 'ChatUserPart', description: 'A part of a message of a user: text, an image, audio or a file.' });
const ChatAssistantPart = z
  .discriminatedUnion('type', [ChatTextPart, ChatRefusalPart, ChatThinkingPart])
  .meta({ id: 'ChatAssistantPart', description: 'A piece of an earlier answer.' });
const userParts = z.array(ChatUserPart);
const assistantParts = z.array(ChatAssistantPart);
const name = maybe(Label).describe(
  'Distinguishes participants of the same role; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Optional.',
);

const ChatCalledFunction = z
  .looseObject({
    name: Label.describe('Name of the function that was called.'),
    arguments: Text.describe(
      'JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400.',
    ),
  })
  .meta({ id: 'ChatCalledFunction', description: 'The function that was called in an earlier turn, and its arguments.' });

const callId = Id.describe('Id of the call. The `tool` message with its result carries it as `tool_call_id`.');

const ChatFunctionToolCall = z
  .looseObject({ id: callId, type: kind('function'), function: ChatCalledFunction.describe('The function and its arguments.') })
  .meta({ id: 'ChatFunctionToolCall', description: 'A call of a function in an earlier turn.' });

const ChatCustomToolCall = z
  .looseObject({
    id: callId,
    type: kind('custom'),
    custom: z
      .looseObject({
        name: Label.describe('Name of the tool that was called.'),
        input: Text.describe('The free text that the model gave it.'),
      })
      .describe('The free-form tool and its input.'),
  })
  .meta({ id: 'ChatCustomToolCall', description: 'A call of a free-form tool in an earlier turn.' });

export const ChatToolCall = z.discriminatedUnion('type', [ChatFunctionToolCall, ChatCustomToolCall]).meta({
  id: 'ChatToolCall',
  description:
    'A call that the model made in an earlier turn. Its result must follow in a `tool` message, before any message of another role.',
});

const ChatInstructionMessage = z
  .looseObject({
    role: z
      .enum(['system', 'developer'])
      .describe(
        'Both mean the same here. Upstreams that do not know `developer` are sent `system`; others have a separate field for instructions.',
      ),
    content: texts.describe(`The instructions: a string, or 1 to ${MAX_PARTS} parts of text.`),
    name,
  })
  .meta({ id: 'ChatInstructionMessage', description: 'Sets the behaviour of the assistant. It may be anywhere in the conversation.' });

const ChatUserMessage = z
  .looseObject({
    role: kind('user', 'Role of the author'),
    content: z.union([Text, userParts.min(1).max(MAX_PARTS)]).describe(`What the user sends: a string, or 1 to ${MAX_PARTS} parts.`),
    name,
  })
  .meta({ id: 'ChatUserMessage', description: 'A message of the user: text, images, audio and files.' });

const ChatAssistantMessage = z
  .looseObject({
    role: kind('assistant', 'Role of the author'),
    content: maybe(z.union([Text, assistantParts.max(MAX_PARTS)])).describe(
      `What the assistant said: a string, or up to ${MAX_PARTS} parts of text, refusal and thoughts. Null or absent only beside \`tool_calls\`, \`refusal\`, \`audio\` or \`function_call\`.`,
    ),
    refusal: maybe(Text).describe('What the assistant said when it refused. Absent: it did not refuse.'),
    audio: maybe(z.looseObject({ id: Id.describe('The `audio.id` of that answer.') })).describe(
      'Names a spoken answer of an earlier turn. Only upstreams that speak chat take it; others refuse it with 400. Absent: none was spoken.',
    ),
    tool_calls: maybe(z.array(ChatToolCall).max(MAX_TOOLS)).describe(`The calls that it made, up to ${MAX_TOOLS}. Optional.`),
    function_call: deprecated(
      maybe(ChatCalledFunction),
      'use `tool_calls`. The one call of the older form; a `function` message answers it.',
    ),
    name,
  })
  .meta({ id: 'ChatAssistantMessage', description: 'An earlier answer; carries text, a refusal, audio or calls.' });

const ChatToolMessage = z
  .looseObject({
    role: kind('tool', 'Role of the author'),
    content: texts.describe(`What the tool gave back: a string, or 1 to ${MAX_PARTS} parts of text.`),
    tool_call_id: Id.describe('Id of the call that this answers. 400 when no unanswered call has this id.'),
  })
  .meta({ id: 'ChatToolMessage', description: 'The result of a tool call.' });

const ChatFunctionMessage = z
  .looseObject({
    role: kind('function', 'Role of the author'),
    name: Label.describe('Name of the function that was called; the older form has no ids.'),
    content: maybe(Text).describe('What the function gave back. Null: an empty text.'),
  })
  .meta({ id: 'ChatFunctionMessage', description: 'Deprecated: use the role `tool`. The result of a `function_call`.', deprecated: true });

export const ChatMessage = z
  .discriminatedUnion('role', [ChatInstructionMessage, ChatUserMessage, ChatAssistantMessage, ChatToolMessage, ChatFunctionMessage])
  .meta({ id: 'ChatMessage', description: 'One message of a conversation; its fields depend on `role`.' });
export type ChatMessage = z.infer<typeof ChatMessage>;
