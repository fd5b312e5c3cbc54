/** Content parts of the items of a responses call, in input and output. */
import { z } from 'zod';
import { AudioClip, CacheBreakpoint, Id, Index, Label, maybe, Text } from '../shared/bounds.ts';
import { DETAIL_TEXT, kind } from '../shared/descriptions.ts';

const cache = { prompt_cache_breakpoint: maybe(CacheBreakpoint) };

const InputText = z
  .looseObject({ type: kind('input_text'), text: Text.describe('The text itself. It may be empty.'), ...cache })
  .meta({ id: 'InputText', description: 'A piece of text for the model.' });

const fileId = (refusing: string) =>
  maybe(Id).describe(
    `Id of a file that the upstream stores. The gateway has no Files API; ${refusing} refuse an id with 400. Absent: the data is in the part.`,
  );

const InputImage = z
  .looseObject({
    type: kind('input_image'),
    image_url: maybe(Text).describe(
      'A string: a data URL, or an https address that the upstream can fetch. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Absent only beside `file_id`.',
    ),
    file_id: fileId('chat, Anthropic and Gemini upstreams'),
    detail: maybe(z.enum(['low', 'high', 'auto', 'original'])).describe(`${DETAIL_TEXT} Chat upstreams are sent \`original\` as \`high\`.`),
    ...cache,
  })
  .meta({ id: 'InputImage', description: 'An image for the model.' });

const InputFile = z
  .looseObject({
    type: kind('input_file'),
    filename: maybe(Label).describe('Name of the file, up to 512 characters. Absent: the model gets no name.'),
    file_data: maybe(Text).describe(
      'The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_url` or `file_id`.',
    ),
    file_url: maybe(Text).describe(
      'An https address that the upstream can fetch. The gateway never fetches it. Chat and Gemini upstreams refuse an address with 400. Absent: another field gives the file.',
    ),
    file_id: fileId('Anthropic and Gemini upstreams'),
    ...cache,
  })
  .meta({ id: 'InputFile', description: 'A document for the model: its data, its address or its id.' });

const InputAudio = z
  .looseObject({ type: kind('input_audio'), input_audio: AudioClip.describe('The audio and its encoding.') })
  .meta({ id: 'InputAudio', description: 'Audio for the model. Anthropic and Gemini upstreams take none: 400.' });

/** Content from the caller: text, images, files and audio. */
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
      .describe('The token as UTF-8 bytes; one character may span several tokens. Null or absent when the token has none.'),
    top_logprobs: z
      .array(z.looseObject({ token, logprob }))
      .nullish()
      .describe('The likeliest tokens at this position, as many as `top_logprobs` of the request; empty or absent for 0.'),
  })
  .meta({ id: 'TokenLogprob', description: 'The log probability of one token.' });

const PastText = z
  .looseObject({
    type: kind('output_text'),
    text: Text.describe('The text of the earlier answer.'),
    annotations: maybe(z.array(TextAnnotation)).describe(
      'Citations and files of the earlier answer. Only responses upstreams read them. Optional.',
    ),
    logprobs: maybe(z.array(TokenLogprob)).describe(
      'Log probabilities from the earlier answer; the gateway ignores them, so they may be absent.',
    ),
  })
  .meta({ id: 'PastOutputText', description: 'Text of an earlier answer, sent back.' });

export const Refusal = z
  .looseObject({ type: kind('refusal'), refusal: Text.describe('Why the model does not answer, in its words.') })
  .meta({ id: 'Refusal', description: 'A refusal of the model, in an answer or sent back.' });

/** Every part that a message of the input can hold. */
export const MessagePart = z
  .discriminatedUnion('type', [...inputParts, PastText, Refusal])
  .meta({ id: 'MessagePart', description: 'A part of a message: input of a user, or output of an earlier answer.' });

const ToolOutputPart = z
  .discriminatedUnion('type', [InputText, InputImage, InputFile])
  .meta({ id: 'ToolOutputPart', description: 'A part of what a tool returns: text, an image or a file.' });

/** Parts that the output of a tool can have, instead of a string. */
export const ToolOutput = z.union([Text, z.array(ToolOutputPart).max(1024)]).meta({
  id: 'ToolOutput',
  description:
    'A string, or up to 1,024 parts. Upstreams that accept only text as a result get the text there, and the images and files in a message after it.',
});

export const OutputText = z
  .looseObject({
    type: kind('output_text'),
    text: z.string().describe('The text; JSON when `text.format` asked for JSON.'),
    annotations: z.array(TextAnnotation).describe('Sources and files of the text. Empty: none.'),
    logprobs: z.array(TokenLogprob).nullish().describe('Log probabilities of the tokens. Empty or absent unless `include` asked for them.'),
  })
  .meta({ id: 'OutputText', description: 'A piece of text of the answer.' });

export const SummaryText = z
  .looseObject({ type: kind('summary_text'), text: Text.describe('The text of the paragraph.') })
  .meta({ id: 'SummaryText', description: 'A paragraph of the summary of the reasoning.' });
export const ReasoningText = z
  .looseObject({ type: kind('reasoning_text'), text: Text.describe('The reasoning as the model wrote it.') })
  .meta({ id: 'ReasoningText', description: 'Unsummarised reasoning; few upstreams show it.' });

export const OutputPart = z
  .discriminatedUnion('type', [OutputText, Refusal, ReasoningText])
  .meta({ id: 'OutputPart', description: 'A piece of an item of the output.' });

export const ItemStatus = z
  .enum(['in_progress', 'completed', 'incomplete', 'searching', 'generating', 'interpreting', 'calling', 'failed'])
  .meta({
    id: 'ItemStatus',
    description:
      '`in_progress`: more follows. `completed`: it is complete. `incomplete`: it ended early. The other values are for tools that the upstream runs.',
  });

export const Phase = z
  .enum(['commentary', 'final_answer'])
  .describe('Whether a message is a comment during the work or the final answer. Absent: unknown. Only responses upstreams support it.');

export const ContentIndex = Index.describe('Index of the part in the content of its item, from 0.');
