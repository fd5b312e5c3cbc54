/** Image generations and edits: requests, answers and stream events. */
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { Id, Index, Label, maybe, Tokens, UnixSeconds } from './shared/bounds.ts';
import { deprecated, kind } from './shared/descriptions.ts';
import { misplacedFields, misplacedInEdits, misplacedInGenerations } from './shared/misplaced-fields.ts';
import { type Fields, isFields, isSet, type RuleIssue, refusing, rule, together } from './shared/rules.ts';

/** Fields of an image request that only some models have. */
export const imageFields = ['complexity', 'frame_count', 'frame_duration_ms', 'markup', 'style', 'svg'] as const;

/** The format of a size; which ones a model accepts is a matter of the model. */
export const SIZE = /^(?:auto|([1-9]\d{0,4})x([1-9]\d{0,4}))$/;

const problem = (field: string, message: string, code: ErrorCode = 'invalid_value'): RuleIssue => ({ path: [field], message, code });

function* drawing(body: Fields): Generator<RuleIssue> {
  const format = body.output_format ?? 'png';
  if (typeof body.size === 'string' && !SIZE.test(body.size))
    yield problem('size', `'size' is 'auto' or '<width>x<height>', for example '1024x1024'; got '${body.size}'.`);
  if (body.background === 'transparent' && format === 'jpeg') {
    yield problem('background', "'background: transparent' needs 'output_format' png or webp.");
  }
  if (isSet(body.output_compression) && format === 'png') {
    yield problem('output_compression', "'output_compression' works with 'output_format' jpeg or webp only.");
  }
  if (body.response_format === 'url') {
    yield problem('response_format', "Images come as base64 in 'b64_json'; leave 'response_format' out.", 'unsupported_value');
  }
}

function* streaming(body: Fields): Generator<RuleIssue> {
  if (isSet(body.partial_images) && body.partial_images !== 0 && body.stream !== true) {
    yield problem('partial_images', "'partial_images' is allowed with 'stream: true' only.");
  }
  if (typeof body.n === 'number' && body.n > 1 && body.stream === true) {
    yield problem('n', "With 'stream: true' only one image can be generated: leave 'n' out.", 'unsupported_value');
  }
}

const DATA_URL = /^data:image\/(png|jpe?g|webp);base64,/i;

function* reference(value: unknown, path: (string | number)[]): Generator<RuleIssue> {
  if (!isFields(value)) return;
  const url = value.image_url;
  const where = path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join('');
  if (isSet(value.file_id)) {
    yield {
      path: [...path, 'file_id'],
      message: `This gateway has no Files API: send ${where}.image_url as a data URL.`,
      code: 'unsupported_parameter',
    };
  } else if (!isSet(url)) {
    yield { path: [...path, 'image_url'], message: `${where} needs an 'image_url'.`, code: 'missing_required_parameter' };
  } else if (typeof url === 'string' && !DATA_URL.test(url)) {
    yield {
      path: [...path, 'image_url'],
      message: `${where}.image_url has to be a data URL of a PNG, JPEG or WebP image: the gateway does not fetch URLs.`,
      code: 'invalid_image_url',
    };
  }
}

function* references(body: Fields): Generator<RuleIssue> {
  const images = body.images;
  if (Array.isArray(images)) for (const [index, image] of images.entries()) yield* reference(image, ['images', index]);
  yield* reference(body.mask, ['mask']);
}

/** These rules, except those about image references, as JSON Schema for readers of the document. */
export const imageNever = refusing(
  together({ background: { const: 'transparent' }, output_format: { const: 'jpeg' } }),
  together({ output_compression: { type: 'integer' } }, { output_format: { enum: ['png', null] } }),
  together({ partial_images: { type: 'integer', minimum: 1 } }, { stream: { enum: [false, null] } }),
  together({ n: { type: 'integer', minimum: 2 }, stream: { const: true } }),
  together({ response_format: { const: 'url' } }),
);

export const imageRules = [rule<Fields>(drawing), rule<Fields>(streaming), rule<Fields>(references)];

/** The longest data URL of one image: 20 MiB of text. */
const MAX_IMAGE_TEXT = 20 * 1024 * 1024;
export const MAX_IMAGES = 16;

/** A word of the provider; which ones a model accepts is a matter of the model. */
const Word = z.string().min(1).max(16);

const options = {
  prompt: z
    .string()
    .min(1)
    .max(32_000)
    .meta({ description: 'The image to generate, or the change to make. 1 to 32,000 characters.', examples: ['A lighthouse in the fog'] }),
  model: Id.meta({ description: 'Id of an image model, as `GET /v1/models` lists it.', examples: ['gpt-image-2'] }),
  n: maybe(z.int().min(1).max(10)).describe('Number of images; each is charged. Absent: 1. With `stream: true` only 1.'),
  size: maybe(z.string().max(16).meta({ pattern: SIZE.source })).describe(
    '`auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, one side at most 3 times the other, up to 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it.',
  ),
  quality: maybe(Word).describe(
    'Quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that have it. Absent: `auto`, the upstream decides. The price may depend on it; until the quality is known, the highest price is held.',
  ),
  background: maybe(z.enum(['auto', 'opaque', 'transparent'])).describe(
    'Background of the image. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides.',
  ),
  output_format: maybe(Word).describe(
    'Encoding of the image: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that have it. Each frame of a `gif` is charged as an image. Absent: `png`. The simulator has `png` only.',
  ),
  output_compression: maybe(z.int().min(0).max(100)).describe(
    'Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100.',
  ),
  moderation: maybe(z.enum(['auto', 'low'])).describe(
    'How strictly the upstream moderates the request; what it refuses is 400 `moderation_blocked`. Defaults to `auto`.',
  ),
  stream: maybe(z.boolean()).describe('True: partial images and the final one come as Server-Sent Events. Defaults to false.'),
  partial_images: maybe(z.int().min(0).max(3)).describe(
    'How many partial images to send; only with `stream: true`. Fewer may come. Optional.',
  ),
  complexity: maybe(Word).describe(
    'How much the model plans the image, for models that can: `low`, `medium`, or `high`. Absent: the model decides.',
  ),
  frame_count: maybe(z.int().min(1).max(100)).describe('Number of frames of a `gif`; each is charged as an image. Absent: 9.'),
  frame_duration_ms: maybe(z.int().min(1).max(1_000_000)).describe('Milliseconds that each frame of a `gif` is shown. Absent: 200.'),
  svg: maybe(z.looseObject({})).describe('Options of an `svg`, for models whose operator accepts them. Optional.'),
  user: deprecated(maybe(Label), 'use `safety_identifier`. The gateway forwards it to the upstream.'),
  safety_identifier: maybe(z.string().max(64)).describe(
    'An opaque id of the end user, so that the vendor can find a user who breaks its rules. Absent: none is sent.',
  ),
  response_format: maybe(z.enum(['b64_json', 'url'])).describe(
    'Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`.',
  ),
};

export const ImageGenerationRequest = z
  .looseObject(options)
  .check(misplacedFields(misplacedInGenerations), ...imageRules)
  .meta({
    id: 'ImageGenerationRequest',
    ...imageNever,
    description:
      'The image to generate, and its options. Null counts as absent. A field that no operation knows is forwarded to OpenAI and Azure, unless it may choose a model, provider, tier, tool or price; otherwise it is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-image-2', prompt: 'A lighthouse in the fog', size: '1024x1024' }],
  });
export type ImageGenerationRequest = z.infer<typeof ImageGenerationRequest>;

const ImageReference = z
  .looseObject({
    image_url: maybe(z.string().max(MAX_IMAGE_TEXT)).describe(
      'A data URL of a PNG, JPEG or WebP image, up to 20 MiB of text. A web address is 400, because the gateway does not fetch images. A reference where it is absent is 400 too.',
    ),
    file_id: maybe(Id).describe('Id of a file, which is not supported: there is no Files API, and an id is 400. Leave it absent.'),
  })
  .meta({ id: 'ImageReference', description: 'An image in a JSON body.' });

const fidelity = maybe(z.enum(['high', 'low'])).describe(
  'How closely the result matches the given images. Forwarded to the upstream; `gpt-image-2` does not use it. Optional; the provider decides if omitted.',
);

export const ImageEditRequest = z
  .looseObject({
    ...options,
    images: z.array(ImageReference).min(1).max(MAX_IMAGES).describe(`The images to change or to use as input: 1 to ${MAX_IMAGES}.`),
    mask: maybe(ImageReference).describe(
      'A PNG of at most 4 MB. Transparent pixels mark what to change in the first image; the mask has the same size. Absent: the whole image may change.',
    ),
    input_fidelity: fidelity,
  })
  .check(misplacedFields(misplacedInEdits), ...imageRules)
  .meta({
    id: 'ImageEditRequest',
    ...imageNever,
    description: 'The JSON form of an edit. Null counts as absent.',
    examples: [{ model: 'gpt-image-2', prompt: 'Add a hat', images: [{ image_url: 'data:image/png;base64,iVBORw0KGgo=' }] }],
  });
export type ImageEditRequest = z.infer<typeof ImageEditRequest>;

const file = z.string().meta({ format: 'binary', description: 'A PNG, JPEG or WebP file of at most 50 MB.' });

/** The multipart form of an edit. It is here for the document: the server converts a form into the JSON body and validates that. */
export const ImageEditForm = z
  .object({
    ...options,
    image: z
      .array(file)
      .min(1)
      .max(MAX_IMAGES)
      .describe(
        `One part \`image\` for each image, 1 to ${MAX_IMAGES}. Parts may also be named \`image[]\`, which the official SDKs use for several images.`,
      ),
    mask: z
      .string()
      .meta({
        format: 'binary',
        description:
          'A PNG of at most 4 MB, of the same size as the first image. Transparent pixels mark what to change. Absent: the whole image may change.',
      })
      .optional(),
    input_fidelity: fidelity,
  })
  .meta({ id: 'ImageEditForm', description: 'The multipart form of an edit, as the official SDKs send it.' });

const ImageTokens = z
  .looseObject({
    text_tokens: Tokens.describe('Tokens that represent text.'),
    image_tokens: Tokens.describe('Tokens that represent images.'),
  })
  .meta({ id: 'ImageTokens', description: 'Text and image tokens.' });

export const ImageUsage = z
  .looseObject({
    input_tokens: Tokens.describe('Tokens of the prompt and of the input images.'),
    output_tokens: Tokens.describe('Tokens of the generated images.'),
    total_tokens: Tokens.describe('The sum of `input_tokens` and `output_tokens`.'),
    input_tokens_details: ImageTokens.describe('Parts of `input_tokens`.'),
    output_tokens_details: ImageTokens.nullish().describe('Parts of `output_tokens`. Absent when the upstream reports none.'),
  })
  .meta({
    id: 'ImageUsage',
    description: 'Tokens used, as the upstream counted them. Images are charged per image, not by these tokens.',
  });

const drawn = {
  background: z
    .string()
    .nullish()
    .describe('Background of the image: `opaque` or `transparent`. Absent when the upstream does not report it.'),
  output_format: z
    .string()
    .nullish()
    .describe('Encoding of the image: `png`, `jpeg` or `webp`. Absent when the upstream does not report it.'),
  quality: z
    .string()
    .nullish()
    .describe('The quality of the image: `low`, `medium` or `high`. Absent when the upstream does not report it.'),
  size: z.string().nullish().describe('Width and height in pixels, such as `1024x1024`. Absent when the upstream does not report it.'),
};
const PICTURE_DATA = 'The image in plain base64, without the prefix of a data URL.';

export const ImageList = z
  .looseObject({
    created: UnixSeconds,
    ...drawn,
    data: z
      .array(
        z
          .looseObject({
            b64_json: z.string().optional().describe(`${PICTURE_DATA} Absent only beside \`url\`.`),
            url: z
              .string()
              .optional()
              .describe(
                'Address at which the upstream keeps the image for a limited time. Only older models have one; otherwise it is absent.',
              ),
            revised_prompt: z
              .string()
              .nullish()
              .describe('The prompt as the model rewrote it. Absent when the model used the prompt unchanged.'),
          })
          .meta({ id: 'GeneratedImage', description: 'An image: has `b64_json` (plain base64) or, from older models, `url`.' }),
      )
      .describe('The images: at most `n`.'),
    usage: ImageUsage.nullish().describe('What the request used. Absent when the upstream reports nothing.'),
  })
  .meta({ id: 'ImageList', description: 'The images are in `data[].b64_json`; the other fields apply to all of them.' });
export type ImageList = z.infer<typeof ImageList>;

const frame = { created_at: UnixSeconds, ...drawn };
const partial = {
  b64_json: z.string().describe('The partial image in plain base64, without the prefix of a data URL.'),
  ...frame,
  partial_image_index: Index.describe('Which partial image this is, from 0.'),
};
const finished = {
  b64_json: z.string().describe(PICTURE_DATA),
  ...frame,
  usage: ImageUsage.nullish().describe('What the request used. Absent when the upstream reports nothing.'),
  safety_identifier: z.string().nullish().describe('`safety_identifier` of the request. Absent when the upstream does not repeat it.'),
};

const ImageErrorEvent = z
  .looseObject({
    type: kind('error'),
    error: z
      .looseObject({
        message: z.string().describe('What went wrong and what to do, as a sentence for people.'),
        type: z.string().describe('Coarse class of the error, as in the body of an error.'),
        param: z.string().nullable().describe('Path of the field that caused the error. Null: no field did.'),
        code: z.string().nullable().describe('The reason, for programs: an error code of this API. Never null.'),
      })
      .describe('The error, as in the body of an answer that is not 2xx.'),
  })
  .meta({ id: 'ImageErrorEvent', description: 'The last event of a stream that failed.' });

const PARTIAL = 'A partial image, to show until the next one comes.';
const FINISHED = 'The last event of a stream that succeeded: the complete image.';

export const ImageGenerationEvent = z
  .discriminatedUnion('type', [
    z
      .looseObject({ type: kind('image_generation.partial_image'), ...partial })
      .meta({ id: 'ImageGenerationPartialImageEvent', description: PARTIAL }),
    z
      .looseObject({ type: kind('image_generation.completed'), ...finished })
      .meta({ id: 'ImageGenerationCompletedEvent', description: FINISHED }),
    ImageErrorEvent,
  ])
  .meta({ id: 'ImageGenerationEvent', description: 'Partial images, then exactly one completed or error event. No `[DONE]`.' });
export type ImageGenerationEvent = z.infer<typeof ImageGenerationEvent>;

export const ImageEditEvent = z
  .discriminatedUnion('type', [
    z.looseObject({ type: kind('image_edit.partial_image'), ...partial }).meta({ id: 'ImageEditPartialImageEvent', description: PARTIAL }),
    z.looseObject({ type: kind('image_edit.completed'), ...finished }).meta({ id: 'ImageEditCompletedEvent', description: FINISHED }),
    ImageErrorEvent,
  ])
  .meta({ id: 'ImageEditEvent', description: 'Partial images, then exactly one completed or error event. No `[DONE]`.' });
export type ImageEditEvent = z.infer<typeof ImageEditEvent>;
