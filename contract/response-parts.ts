/** Pieces of content inside the items of a responses call, in and out. */
import { z } from 'zod';
import { AudioClip, CacheBreakpoint, Id, Index, Label, maybe, Text } from './bounds.ts';
import { DETAIL_TEXT, kind } from './wording.ts';

const cache = { prompt_cache_breakpoint: maybe(CacheBreakpoint) };

const InputText = z
  .looseObject({ type: kind('input_text'), text: Text.describe('The text itself. It may be empty.'), ...cache })
  .meta({ id: 'InputText', description: 'A piece of text for the model.' });

const fileId = (refusing: string) =>
  maybe(Id).describe(
    `Id of a file that lies at the upstream. The gateway has no Files API; ${refusing} refuse an id with 400. Absent: the data is in the part.`,
  );

const InputImage = z
  .looseObject({
    type: kind('input_image'),
    image_url: maybe(Text).describe(
      'A string: a data URL, or an https address where the upstream can fetch it. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Absent only beside `file_id`.',
    ),
    file_id: fileId('chat, Anthropic and Gemini upstreams'),
    detail: maybe(z.enum(['low', 'high', 'auto', 'original'])).describe(`${DETAIL_TEXT} Chat upstreams are sent \`original\` as \`high\`.`),
    ...cache,
  })
  .meta({ id: 'InputImage', description: 'A picture for the model.' });

const InputFile = z
  .looseObject({
    type: kind('input_file'),
    filename: maybe(Label).describe('Name of the file, up to 512 characters. Absent: the model is told none.'),
    file_data: maybe(Text).describe(
      'The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_url` or `file_id`.',
    ),
    file_url: maybe(Text).describe(
      'An https address where the upstream can fetch the file. The gateway never fetches it. Chat and Gemini upstreams refuse an address with 400. Absent: the file is given otherwise.',
    ),
    file_id: fileId('Anthropic and Gemini upstreams'),
    ...cache,
  })
  .meta({ id: 'InputFile', description: 'A document for the model: its data, its address or its id.' });

const InputAudio = z
  .looseObject({ type: kind('input_audio'), input_audio: AudioClip.describe('The recording.') })
  .meta({ id: 'InputAudio', description: 'A recording for the model. Anthropic and Gemini upstreams take none: 400.' });

/** What the caller says, shows or plays. */
export const inputParts = [InputText, InputImage, InputFile, InputAudio] as const;

export const TextAnnotation = z
  .looseObject({ type: Label.describe('Kind of the annotation, such as `url_citation` or `file_path`; its other fields depend on it.') })
  .meta({ id: 'TextAnnotation', description: 'A citation or a file path inside a text.', additionalProperties: true });

const token = z.string().describe('The token as text.');
const logprob = z.number().describe('Natural logarithm of its probability, at most 0.');
export const TokenLogprob = z
  .looseObject({
    token,
    logprob,
    bytes: z
      .array(z.int())
      .nullish()
      .describe('The token as UTF-8 bytes; a character may be spread over several tokens. Null or absent where it has none.'),
    top_logprobs: z
      .array(z.looseObject({ token, logprob }))
      .nullish()
      .describe('The likeliest tokens at this place, as many as `top_logprobs` of the request; empty or absent for 0.'),
  })
  .meta({ id: 'TokenLogprob', description: 'How sure the model was of one token.' });

const PastText = z
  .looseObject({
    type: kind('output_text'),
    text: Text.describe('The text as it was answered.'),
    annotations: maybe(z.array(TextAnnotation)).describe(
      'Citations and files as they were answered. Read by responses upstreams alone. Absent: none.',
    ),
    logprobs: maybe(z.array(TokenLogprob)).describe(
      'How sure the model was, as it was answered; nothing depends on it, so it may be absent.',
    ),
  })
  .meta({ id: 'PastOutputText', description: 'Text of an earlier answer, passed back.' });

export const Refusal = z
  .looseObject({ type: kind('refusal'), refusal: Text.describe('Why the model does not answer, in its words.') })
  .meta({ id: 'Refusal', description: 'A refusal of the model, in an answer or passed back.' });

/** Every part that a message of the input can hold. */
export const MessagePart = z
  .discriminatedUnion('type', [...inputParts, PastText, Refusal])
  .meta({ id: 'MessagePart', description: 'A piece of a message: input of a user, or what an assistant said before.' });

const ToolOutputPart = z
  .discriminatedUnion('type', [InputText, InputImage, InputFile])
  .meta({ id: 'ToolOutputPart', description: 'A piece of what a tool gives back.' });

/** What a tool can give back besides a string. */
export const ToolOutput = z.union([Text, z.array(ToolOutputPart).max(1024)]).meta({
  id: 'ToolOutput',
  description:
    'A string, or up to 1,024 parts. Upstreams whose results are text alone are sent the text, and the pictures and files in a message behind it.',
});

export const OutputText = z
  .looseObject({
    type: kind('output_text'),
    text: z.string().describe('The text; a JSON text where `text.format` asked for JSON.'),
    annotations: z.array(TextAnnotation).describe('Sources and files of the text. Empty: none.'),
    logprobs: z
      .array(TokenLogprob)
      .nullish()
      .describe('How sure the model was of each token. Empty or absent unless `include` asked for them.'),
  })
  .meta({ id: 'OutputText', description: 'A piece of text of the answer.' });

export const SummaryText = z
  .looseObject({ type: kind('summary_text'), text: Text.describe('The text of the paragraph.') })
  .meta({ id: 'SummaryText', description: 'A paragraph of what the model thought, told in short.' });
export const ReasoningText = z
  .looseObject({ type: kind('reasoning_text'), text: Text.describe('The thoughts as the model wrote them.') })
  .meta({ id: 'ReasoningText', description: 'Thoughts as they are; only few upstreams show them.' });

export const OutputPart = z
  .discriminatedUnion('type', [OutputText, Refusal, ReasoningText])
  .meta({ id: 'OutputPart', description: 'A piece of an item of the output.' });

export const ItemStatus = z
  .enum(['in_progress', 'completed', 'incomplete', 'searching', 'generating', 'interpreting', 'calling', 'failed'])
  .meta({
    id: 'ItemStatus',
    description:
      '`in_progress`: more of it comes. `completed`: it is whole. `incomplete`: it was cut. The others are of tools that the upstream runs.',
  });

export const Phase = z
  .enum(['commentary', 'final_answer'])
  .describe('Whether a message is said on the way or is the answer. Absent: not told. Only responses upstreams know it.');

export const ContentIndex = Index.describe('Place of the part in the content of its item.');
