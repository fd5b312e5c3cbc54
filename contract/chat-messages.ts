/** Messages of a chat request (specification 2.2). */
import { z } from 'zod';
import { AudioClip, Id, JsonObject, Label, MAX_PARTS, MAX_TOOLS, maybe, Text } from './bounds.ts';

const cache = { prompt_cache_breakpoint: maybe(JsonObject).describe('Marks the end of a part of the prompt that may be cached.') };

export const ChatTextPart = z.looseObject({ type: z.literal('text'), text: Text, ...cache }).meta({ id: 'ChatTextPart' });

const ChatImagePart = z
  .looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({
      url: Text.min(1).describe('A data URL, or an https address where the upstream can fetch it. The gateway never fetches it.'),
      detail: maybe(z.enum(['auto', 'low', 'high', 'original'])),
    }),
    ...cache,
  })
  .meta({ id: 'ChatImagePart' });

const ChatAudioPart = z.looseObject({ type: z.literal('input_audio'), input_audio: AudioClip, ...cache }).meta({ id: 'ChatAudioPart' });

const ChatFilePart = z
  .looseObject({
    type: z.literal('file'),
    file: z.looseObject({ filename: maybe(Label), file_data: maybe(Text).describe('A data URL.'), file_id: maybe(Id) }),
    ...cache,
  })
  .meta({ id: 'ChatFilePart' });

const ChatRefusalPart = z.looseObject({ type: z.literal('refusal'), refusal: Text }).meta({ id: 'ChatRefusalPart' });

const texts = z.union([Text, z.array(ChatTextPart).min(1).max(MAX_PARTS)]);
const ChatUserPart = z
  .discriminatedUnion('type', [ChatTextPart, ChatImagePart, ChatAudioPart, ChatFilePart])
  .meta({ id: 'ChatUserPart', description: 'What a user says, shows, plays or hands over.' });
const ChatAssistantPart = z
  .discriminatedUnion('type', [ChatTextPart, ChatRefusalPart])
  .meta({ id: 'ChatAssistantPart', description: 'A piece of an earlier answer.' });
const userParts = z.array(ChatUserPart);
const assistantParts = z.array(ChatAssistantPart);
const name = maybe(Label).describe('Tells participants of the same role apart.');

const ChatCalledFunction = z
  .looseObject({ name: Label, arguments: Text.describe('JSON as the model wrote it; it may be malformed.') })
  .meta({ id: 'ChatCalledFunction', description: 'The function that was called in an earlier turn, and with what.' });

const ChatFunctionToolCall = z
  .looseObject({ id: Id, type: z.literal('function'), function: ChatCalledFunction })
  .meta({ id: 'ChatFunctionToolCall', description: 'A call of a function in an earlier turn.' });

const ChatCustomToolCall = z
  .looseObject({ id: Id, type: z.literal('custom'), custom: z.looseObject({ name: Label, input: Text }) })
  .meta({ id: 'ChatCustomToolCall', description: 'A call of a custom tool in an earlier turn.' });

export const ChatToolCall = z
  .discriminatedUnion('type', [ChatFunctionToolCall, ChatCustomToolCall])
  .meta({ id: 'ChatToolCall', description: 'A call that the model made in an earlier turn.' });

const ChatInstructionMessage = z
  .looseObject({ role: z.enum(['system', 'developer']), content: texts, name })
  .meta({ id: 'ChatInstructionMessage', description: 'Sets the behaviour of the assistant.' });

const ChatUserMessage = z
  .looseObject({ role: z.literal('user'), content: z.union([Text, userParts.min(1).max(MAX_PARTS)]), name })
  .meta({ id: 'ChatUserMessage' });

const ChatAssistantMessage = z
  .looseObject({
    role: z.literal('assistant'),
    content: maybe(z.union([Text, assistantParts.max(MAX_PARTS)])),
    refusal: maybe(Text),
    audio: maybe(z.looseObject({ id: Id })),
    tool_calls: maybe(z.array(ChatToolCall).max(MAX_TOOLS)),
    function_call: maybe(ChatCalledFunction).describe('Deprecated: use `tool_calls`.'),
    name,
  })
  .meta({ id: 'ChatAssistantMessage', description: 'An earlier answer; carries text, a refusal, audio or calls.' });

const ChatToolMessage = z
  .looseObject({ role: z.literal('tool'), content: texts, tool_call_id: Id.describe('Id of the call that this answers.') })
  .meta({ id: 'ChatToolMessage', description: 'The result of a tool call.' });

const ChatFunctionMessage = z
  .looseObject({ role: z.literal('function'), name: Label, content: maybe(Text) })
  .meta({ id: 'ChatFunctionMessage', description: 'Deprecated: use the role `tool`.' });

export const ChatMessage = z
  .discriminatedUnion('role', [ChatInstructionMessage, ChatUserMessage, ChatAssistantMessage, ChatToolMessage, ChatFunctionMessage])
  .meta({ id: 'ChatMessage' });
export type ChatMessage = z.infer<typeof ChatMessage>;
