/** The messages of a chat request. */
import { z } from 'zod';
import { AudioClip, CacheBreakpoint, Id, ImageDetail, Label, MAX_PARTS, MAX_TOOLS, Text, toNullish } from '../shared/bounds.ts';
import { createTypeField, DETAIL_DESCRIPTION, markDeprecated } from '../shared/descriptions.ts';

const cache = { prompt_cache_breakpoint: toNullish(CacheBreakpoint) };

export const ChatTextPart = z
  .looseObject({ type: createTypeField('text'), text: Text.describe('The text. It can be empty.'), ...cache })
  .meta({ id: 'ChatTextPart', description: 'Text in a message.' });

const ImageAddress = Text.min(1);
const ChatImageAddress = z
  .looseObject({
    url: ImageAddress.describe('A data URL, or an https URL that the upstream can fetch. The gateway never fetches it.'),
    detail: toNullish(ImageDetail).describe(DETAIL_DESCRIPTION),
  })
  .meta({ id: 'ChatImageAddress', description: 'The URL of an image, and the detail at which the model sees it.' });

const ChatImagePart = z
  .looseObject({
    type: createTypeField('image_url'),
    image_url: z
      .union([ImageAddress.describe('The URL only.'), ChatImageAddress])
      .describe('The image: an object with its URL, or only the URL.'),
    ...cache,
  })
  .meta({ id: 'ChatImagePart', description: 'An image in a user message.' });

const ChatAudioPart = z
  .looseObject({ type: createTypeField('input_audio'), input_audio: AudioClip.describe('The audio, with its encoding.'), ...cache })
  .meta({ id: 'ChatAudioPart', description: 'Audio in a user message. Returns 400 on Anthropic and Gemini upstreams.' });

const ChatFilePart = z
  .looseObject({
    type: createTypeField('file'),
    file: z
      .looseObject({
        filename: toNullish(Label).describe('Optional. The name of the file, up to 512 characters.'),
        file_data: toNullish(Text).describe(
          'The file as a data URL. Anthropic upstreams accept only PDF and plain text; other types return 400. Omit only if you send `file_id`.',
        ),
        file_id: toNullish(Id).describe(
          'The ID of a file stored at the upstream. Omit if you send `file_data`. The gateway has no Files API. Returns 400 on Anthropic and Gemini upstreams.',
        ),
      })
      .describe('The file: either its data or its ID.'),
    ...cache,
  })
  .meta({ id: 'ChatFilePart', description: 'A document in a user message.' });

const ChatRefusalPart = z
  .looseObject({ type: createTypeField('refusal'), refusal: Text.describe("The refusal, in the model's words.") })
  .meta({ id: 'ChatRefusalPart', description: 'A refusal from an earlier turn, sent back as a part.' });

const ChatThoughtText = z
  .looseObject({ type: createTypeField('text'), text: Text.describe('The text of the reasoning.') })
  .meta({ id: 'ChatThoughtText', description: "A part of the model's reasoning." });

const ChatThinkingPart = z
  .looseObject({
    type: createTypeField('thinking'),
    thinking: z
      .union([Text, z.array(ChatThoughtText).max(MAX_PARTS)])
      .describe(`The model's reasoning: a string, or up to ${MAX_PARTS} text parts.`),
  })
  .meta({
    id: 'ChatThinkingPart',
    description:
      "Reasoning from an earlier turn, in the format of some chat providers. Sent back to providers that support it; otherwise it's omitted and listed in `x-modelgate-dropped`.",
  });

const texts = z.union([Text, z.array(ChatTextPart).min(1).max(MAX_PARTS)]);
const ChatUserPart = z
  .discriminatedUnion('type', [ChatTextPart, ChatImagePart, ChatAudioPart, ChatFilePart])
  .meta({ id: 'ChatUserPart', description: 'A part of a user message: text, an image, audio, or a file.' });
const ChatAssistantPart = z
  .discriminatedUnion('type', [ChatTextPart, ChatRefusalPart, ChatThinkingPart])
  .meta({ id: 'ChatAssistantPart', description: 'A part of an assistant message.' });
const userParts = z.array(ChatUserPart);
const assistantParts = z.array(ChatAssistantPart);
const name = toNullish(Label).describe(
  'Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat.',
);

const ChatCalledFunction = z
  .looseObject({
    name: Label.describe('The name of the function that was called.'),
    arguments: Text.describe(
      'The arguments as the model wrote them, in JSON; they may be malformed. Anthropic and Gemini upstreams require a JSON object or an empty string; anything else returns 400.',
    ),
  })
  .meta({ id: 'ChatCalledFunction', description: 'The function that was called in an earlier turn, with its arguments.' });

const callId = Id.describe('The ID of the tool call. The `tool` message with its result refers to it in `tool_call_id`.');

const ChatFunctionToolCall = z
  .looseObject({
    id: callId,
    type: createTypeField('function'),
    function: ChatCalledFunction.describe('The function, with its arguments.'),
  })
  .meta({ id: 'ChatFunctionToolCall', description: 'A function call from an earlier turn.' });

const ChatCustomToolCall = z
  .looseObject({
    id: callId,
    type: createTypeField('custom'),
    custom: z
      .looseObject({
        name: Label.describe('The name of the tool that was called.'),
        input: Text.describe('The input of the tool, as free text.'),
      })
      .describe('The free-form tool, with its input.'),
  })
  .meta({ id: 'ChatCustomToolCall', description: 'A call to a free-form tool from an earlier turn.' });

export const ChatToolCall = z.discriminatedUnion('type', [ChatFunctionToolCall, ChatCustomToolCall]).meta({
  id: 'ChatToolCall',
  description:
    'A tool call that the model made in an earlier turn. Its result must follow in a `tool` message, before any message with another role.',
});

const ChatInstructionMessage = z
  .looseObject({
    role: z
      .enum(['system', 'developer'])
      .describe(
        "`system` and `developer` have the same effect. Upstreams that don't support `developer` get `system`; others have a separate field for instructions.",
      ),
    content: texts.describe(`The instructions: a string, or 1 to ${MAX_PARTS} text parts.`),
    name,
  })
  .meta({ id: 'ChatInstructionMessage', description: 'Instructions for the model. They can appear anywhere in the conversation.' });

const ChatUserMessage = z
  .looseObject({
    role: createTypeField('user', 'The role of the author'),
    content: z.union([Text, userParts.min(1).max(MAX_PARTS)]).describe(`The user's message: a string, or 1 to ${MAX_PARTS} parts.`),
    name,
  })
  .meta({ id: 'ChatUserMessage', description: 'A user message: text, images, audio, and files.' });

const ChatAssistantMessage = z
  .looseObject({
    role: createTypeField('assistant', 'The role of the author'),
    content: toNullish(z.union([Text, assistantParts.max(MAX_PARTS)])).describe(
      `The assistant's message: a string, or up to ${MAX_PARTS} parts with text, refusals, and reasoning. Null or omitted only if the message has \`tool_calls\`, \`refusal\`, \`audio\`, or \`function_call\`.`,
    ),
    refusal: toNullish(Text).describe("The refusal, in the model's words. Omit if the message isn't a refusal."),
    audio: toNullish(z.looseObject({ id: Id.describe('The `audio.id` of the earlier output.') })).describe(
      'Optional. Refers to audio output from an earlier turn. Returns 400 unless the model is on a chat upstream.',
    ),
    tool_calls: toNullish(z.array(ChatToolCall).max(MAX_TOOLS)).describe(`Optional. Up to ${MAX_TOOLS} tool calls that the model made.`),
    function_call: markDeprecated(
      toNullish(ChatCalledFunction),
      'use `tool_calls`. The single function call of the older form, followed by a `function` message with the result.',
    ),
    name,
  })
  .meta({
    id: 'ChatAssistantMessage',
    description: 'An assistant message from an earlier turn, with text, a refusal, audio, or tool calls.',
  });

const ChatToolMessage = z
  .looseObject({
    role: createTypeField('tool', 'The role of the author'),
    content: texts.describe(`The output of the tool: a string, or 1 to ${MAX_PARTS} text parts.`),
    tool_call_id: Id.describe('The ID of the tool call that this message responds to. Returns 400 if no open tool call has this ID.'),
  })
  .meta({ id: 'ChatToolMessage', description: 'The output of a tool call.' });

const ChatFunctionMessage = z
  .looseObject({
    role: createTypeField('function', 'The role of the author'),
    name: Label.describe('The name of the function that was called. The older form has no IDs.'),
    content: toNullish(Text).describe('The output of the function. Null means an empty string.'),
  })
  .meta({ id: 'ChatFunctionMessage', description: 'Deprecated: use the role `tool`. The output of a `function_call`.', deprecated: true });

/** A closed union, like the parts: the content determines the cost of a call, and the role determines which rules apply. */
export const ChatMessage = z
  .discriminatedUnion('role', [ChatInstructionMessage, ChatUserMessage, ChatAssistantMessage, ChatToolMessage, ChatFunctionMessage])
  .meta({ id: 'ChatMessage', description: 'A message of the conversation. Its fields depend on `role`.' });
export type ChatMessage = z.infer<typeof ChatMessage>;
