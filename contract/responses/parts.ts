/** Content parts of items in the Responses API, in input and output. */
import { z } from 'zod';
import { AudioClip, CacheBreakpoint, Id, ImageDetail, Index, Label, Text, toNullish } from '../shared/bounds.ts';
import { createTypeField, DETAIL_DESCRIPTION } from '../shared/descriptions.ts';
import { createOpenEnum, createOpenUnion } from '../shared/open.ts';

const cache = { prompt_cache_breakpoint: toNullish(CacheBreakpoint) };

const InputText = z
  .looseObject({ type: createTypeField('input_text'), text: Text.describe('The text. It can be empty.'), ...cache })
  .meta({ id: 'InputText', description: 'Text for the model.' });

const createFileIdField = (unsupported: string) =>
  toNullish(Id).describe(
    `The ID of a file stored at the upstream. The gateway has no Files API. Returns 400 on ${unsupported}. Omit if the part contains the data.`,
  );

const InputImage = z
  .looseObject({
    type: createTypeField('input_image'),
    image_url: toNullish(Text).describe(
      'A data URL, or an https URL that the upstream can fetch, as a string. The gateway never fetches it. Omit only if you send `file_id`.',
    ),
    file_id: createFileIdField('chat, Anthropic, and Gemini upstreams'),
    detail: toNullish(ImageDetail).describe(`${DETAIL_DESCRIPTION} Chat upstreams get \`high\` instead of \`original\`.`),
    ...cache,
  })
  .meta({ id: 'InputImage', description: 'An image for the model.' });

const InputFile = z
  .looseObject({
    type: createTypeField('input_file'),
    filename: toNullish(Label).describe('Optional. The name of the file, up to 512 characters.'),
    file_data: toNullish(Text).describe(
      'The file as a data URL. Anthropic upstreams accept only PDF and plain text; other types return 400. Omit only if you send `file_url` or `file_id`.',
    ),
    file_url: toNullish(Text).describe(
      'An https URL that the upstream can fetch. The gateway never fetches it. Returns 400 on chat upstreams. Omit if another field contains the file.',
    ),
    file_id: createFileIdField('Anthropic and Gemini upstreams'),
    ...cache,
  })
  .meta({ id: 'InputFile', description: 'A document for the model: its data, its URL, or its ID.' });

const InputAudio = z
  .looseObject({ type: createTypeField('input_audio'), input_audio: AudioClip.describe('The audio, with its encoding.') })
  .meta({ id: 'InputAudio', description: 'Audio for the model. Returns 400 on Anthropic and Gemini upstreams.' });

/** Content that callers send: text, images, files, and audio. */
export const inputParts = [InputText, InputImage, InputFile, InputAudio] as const;

export const TextAnnotation = z
  .looseObject({
    type: Label.describe('The type of the annotation, such as `url_citation` or `file_path`. The other fields depend on it.'),
  })
  .meta({ id: 'TextAnnotation', description: 'A citation or a file path in a text.', additionalProperties: true });

const token = z.string().describe('The token as text.');
const logprob = z.number().describe("The natural logarithm of the token's probability, at most 0.");
export const TokenLogprob = z
  .looseObject({
    token,
    logprob,
    bytes: z
      .array(z.int())
      .nullish()
      .describe('The token as UTF-8 bytes. One character can span several tokens. Null or omitted if the token has no bytes.'),
    top_logprobs: z
      .array(z.looseObject({ token, logprob }))
      .nullish()
      .describe("The most likely tokens at this position, as many as the request's `top_logprobs`. Empty or omitted if that is 0."),
  })
  .meta({ id: 'TokenLogprob', description: 'The log probability of a token.' });

const PastText = z
  .looseObject({
    type: createTypeField('output_text'),
    text: Text.describe('The text from the earlier turn.'),
    annotations: toNullish(z.array(TextAnnotation)).describe(
      'Optional. Citations and files from the earlier response. Used by responses upstreams only.',
    ),
    logprobs: toNullish(z.array(TokenLogprob)).describe(
      'Log probabilities from the earlier response. The gateway ignores them, so you can omit them.',
    ),
  })
  .meta({ id: 'PastOutputText', description: 'Text from an earlier response, sent back.' });

export const Refusal = z
  .looseObject({ type: createTypeField('refusal'), refusal: Text.describe("The refusal, in the model's words.") })
  .meta({ id: 'Refusal', description: 'A refusal by the model, in a response or sent back.' });

/** Every part of an input message. A closed union, because the content determines the cost of a call. */
export const MessagePart = z
  .discriminatedUnion('type', [...inputParts, PastText, Refusal])
  .meta({ id: 'MessagePart', description: 'A part of a message: input from the user, or output from an earlier response.' });

const ToolOutputPart = z
  .discriminatedUnion('type', [InputText, InputImage, InputFile])
  .meta({ id: 'ToolOutputPart', description: "A part of a tool's output: text, an image, or a file." });

/** The output of a tool: a string, or a list of parts. */
export const ToolOutput = z.union([Text, z.array(ToolOutputPart).max(1024)]).meta({
  id: 'ToolOutput',
  description:
    "A string, or up to 1,024 parts. Upstreams that accept only text as a tool's output get the text there, and the images and files in a message after it.",
});

export const OutputText = z
  .looseObject({
    type: createTypeField('output_text'),
    text: z.string().describe("The text. It's JSON if `text.format` asks for JSON."),
    annotations: z.array(TextAnnotation).describe('The sources and files of the text. Empty if none.'),
    logprobs: z
      .array(TokenLogprob)
      .nullish()
      .describe("Log probabilities of the tokens. Empty or omitted unless the request's `include` asks for them."),
  })
  .meta({ id: 'OutputText', description: 'Text in the output.' });

export const SummaryText = z
  .looseObject({ type: createTypeField('summary_text'), text: Text.describe('The text of the paragraph.') })
  .meta({ id: 'SummaryText', description: 'A paragraph of the reasoning summary.' });
export const ReasoningText = z
  .looseObject({ type: createTypeField('reasoning_text'), text: Text.describe('The reasoning as the model wrote it.') })
  .meta({ id: 'ReasoningText', description: 'Reasoning text without a summary. Few upstreams return it.' });

export const OutputPart = createOpenUnion([OutputText, Refusal, ReasoningText], {
  id: 'UnknownPart',
  shape: {},
}).meta({ id: 'OutputPart', description: 'A part of an output item.' });

export const ItemStatus = createOpenEnum([
  'in_progress',
  'completed',
  'incomplete',
  'searching',
  'generating',
  'interpreting',
  'calling',
  'failed',
]).meta({
  id: 'ItemStatus',
  description:
    '`in_progress`: more content follows. `completed`: the item is complete. `incomplete`: the item ended early. The other values are for tools that the upstream runs.',
});

export const Phase = z
  .enum(['commentary', 'final_answer'])
  .describe(
    'Whether the message is a comment during the work or the final answer. Omitted if unknown. Supported by responses upstreams only.',
  );

export const ContentIndex = Index.describe("Index of the part in its item's content, from 0.");
