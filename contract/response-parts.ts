/** Pieces of content inside the items of a responses call, in and out (specification 2.4). */
import { z } from 'zod';
import { AudioClip, Id, Index, JsonObject, Label, maybe, Text } from './bounds.ts';

const cache = { prompt_cache_breakpoint: maybe(JsonObject).describe('Marks the end of a part of the prompt that may be cached.') };

const InputText = z.looseObject({ type: z.literal('input_text'), text: Text, ...cache }).meta({ id: 'InputText' });

const InputImage = z
  .looseObject({
    type: z.literal('input_image'),
    image_url: maybe(Text).describe(
      'A string: a data URL, or an https address where the upstream can fetch it. The gateway never fetches it.',
    ),
    file_id: maybe(Id),
    detail: maybe(z.enum(['low', 'high', 'auto', 'original'])),
    ...cache,
  })
  .meta({ id: 'InputImage' });

const InputFile = z
  .looseObject({
    type: z.literal('input_file'),
    filename: maybe(Label),
    file_data: maybe(Text).describe('A data URL.'),
    file_url: maybe(Text),
    file_id: maybe(Id),
    ...cache,
  })
  .meta({ id: 'InputFile' });

const InputAudio = z.looseObject({ type: z.literal('input_audio'), input_audio: AudioClip }).meta({ id: 'InputAudio' });

/** What the caller says, shows or plays. */
export const inputParts = [InputText, InputImage, InputFile, InputAudio] as const;

export const TextAnnotation = z
  .looseObject({ type: Label })
  .meta({ id: 'TextAnnotation', description: 'A citation or a file path inside a text.', additionalProperties: true });

export const TokenLogprob = z
  .looseObject({
    token: z.string(),
    logprob: z.number(),
    bytes: z.array(z.int()).nullish(),
    top_logprobs: z.array(z.looseObject({ token: z.string(), logprob: z.number() })).nullish(),
  })
  .meta({ id: 'TokenLogprob' });

const PastText = z
  .looseObject({
    type: z.literal('output_text'),
    text: Text,
    annotations: maybe(z.array(TextAnnotation)),
    logprobs: maybe(z.array(TokenLogprob)),
  })
  .meta({ id: 'PastOutputText', description: 'Text of an earlier answer, passed back.' });

export const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: Text }).meta({ id: 'Refusal' });

/** Every part that a message of the input can hold. */
export const MessagePart = z.discriminatedUnion('type', [...inputParts, PastText, Refusal]).meta({ id: 'MessagePart' });

const ToolOutputPart = z
  .discriminatedUnion('type', [InputText, InputImage, InputFile])
  .meta({ id: 'ToolOutputPart', description: 'A piece of what a tool gives back.' });

/** What a tool can give back besides a string. */
export const ToolOutput = z.union([Text, z.array(ToolOutputPart).max(1024)]).meta({ id: 'ToolOutput', description: 'A string, or parts.' });

export const OutputText = z
  .looseObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(TextAnnotation),
    logprobs: z.array(TokenLogprob).nullish(),
  })
  .meta({ id: 'OutputText' });

export const SummaryText = z.looseObject({ type: z.literal('summary_text'), text: Text }).meta({ id: 'SummaryText' });
export const ReasoningText = z.looseObject({ type: z.literal('reasoning_text'), text: Text }).meta({ id: 'ReasoningText' });

export const OutputPart = z.discriminatedUnion('type', [OutputText, Refusal, ReasoningText]).meta({ id: 'OutputPart' });

export const ItemStatus = z
  .enum(['in_progress', 'completed', 'incomplete', 'searching', 'generating', 'interpreting', 'calling', 'failed'])
  .meta({
    id: 'ItemStatus',
  });

export const Phase = z.enum(['commentary', 'final_answer']).describe('Whether a message is said on the way or is the answer.');

export const ContentIndex = Index.describe('Place of the part in the content of its item.');
