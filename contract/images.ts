/** Image generations and edits: requests, responses, and stream events. */
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { Id, Index, Label, Tokens, toNullish, UnixSeconds } from './shared/bounds.ts';
import { createTypeField, markDeprecated } from './shared/descriptions.ts';
import { misplacedInEdits, misplacedInGenerations, rejectMisplacedFields } from './shared/misplaced-fields.ts';
import { createOpenUnion } from './shared/open.ts';
import { createRule, type Fields, isFields, isSet, type RuleIssue, rejectWhen, requireFields } from './shared/rules.ts';

/** Image options that only some models support. */
export const imageFields = ['complexity', 'frame_count', 'frame_duration_ms', 'markup', 'style', 'svg'] as const;

/** The syntax of a size. The accepted sizes depend on the model. */
export const SIZE_PATTERN = /^(?:auto|([1-9]\d{0,4})x([1-9]\d{0,4}))$/;

const createIssue = (field: string, message: string, code: ErrorCode = 'invalid_value'): RuleIssue => ({ path: [field], message, code });

function* checkImageOptions(body: Fields): Generator<RuleIssue> {
  const format = body.output_format ?? 'png';
  if (typeof body.size === 'string' && !SIZE_PATTERN.test(body.size))
    yield createIssue('size', `'size' must be 'auto' or '<width>x<height>', for example '1024x1024'. Got '${body.size}'.`);
  if (body.background === 'transparent' && format === 'jpeg') {
    yield createIssue('background', "'background: transparent' requires 'output_format' png or webp.");
  }
  if (isSet(body.output_compression) && format === 'png') {
    yield createIssue('output_compression', "'output_compression' requires 'output_format' jpeg or webp.");
  }
  if (body.response_format === 'url') {
    yield createIssue('response_format', "Images are returned as base64 in 'b64_json'. Omit 'response_format'.", 'unsupported_value');
  }
}

function* checkStreaming(body: Fields): Generator<RuleIssue> {
  if (isSet(body.partial_images) && body.partial_images !== 0 && body.stream !== true) {
    yield createIssue('partial_images', "'partial_images' requires 'stream: true'.");
  }
  if (typeof body.n === 'number' && body.n > 1 && body.stream === true) {
    yield createIssue('n', "'n' must be 1 with 'stream: true'. Omit 'n', or send the request without streaming.", 'unsupported_value');
  }
}

const DATA_URL = /^data:image\/(png|jpe?g|webp);base64,/i;
const HTTPS_URL = /^https:\/\/[^/]/i;

/** Whether the URL contains the image itself. */
export const isDataUrl = (url: string): boolean => DATA_URL.test(url);

function* checkReference(value: unknown, path: (string | number)[]): Generator<RuleIssue> {
  if (!isFields(value)) return;
  const { image_url: url, file_id: file } = value;
  const location = path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join('');
  if (isSet(file) && isSet(url)) {
    yield { path: [...path, 'file_id'], message: `${location} can't have both 'image_url' and 'file_id'.`, code: 'invalid_value' };
  } else if (!isSet(file) && !isSet(url)) {
    yield { path: [...path, 'image_url'], message: `${location} needs an 'image_url' or a 'file_id'.`, code: 'missing_required_parameter' };
  } else if (typeof url === 'string' && !isDataUrl(url) && !HTTPS_URL.test(url)) {
    yield {
      path: [...path, 'image_url'],
      message: `${location}.image_url must be a data URL of a PNG, JPEG, or WebP image, or an https URL that the upstream can fetch.`,
      code: 'invalid_image_url',
    };
  }
}

function* checkReferences(body: Fields): Generator<RuleIssue> {
  const images = body.images;
  if (Array.isArray(images)) for (const [index, image] of images.entries()) yield* checkReference(image, ['images', index]);
  yield* checkReference(body.mask, ['mask']);
}

/** All rules above as JSON Schema for the document, except those about image references. */
export const imageConflicts = rejectWhen(
  requireFields({ background: { const: 'transparent' }, output_format: { const: 'jpeg' } }),
  requireFields({ output_compression: { type: 'integer' } }, { output_format: { enum: ['png', null] } }),
  requireFields({ partial_images: { type: 'integer', minimum: 1 } }, { stream: { enum: [false, null] } }),
  requireFields({ n: { type: 'integer', minimum: 2 }, stream: { const: true } }),
);

export const imageRules = [createRule<Fields>(checkImageOptions), createRule<Fields>(checkStreaming), createRule<Fields>(checkReferences)];

/** Maximum length of one image's data URL: 20 MiB of text. */
const MAX_IMAGE_TEXT = 20 * 1024 * 1024;
export const MAX_IMAGES = 16;

/** A value that the provider defines. The accepted values depend on the model. */
const Word = z.string().min(1).max(16);

/**
 * Accepts `url`, so that a rule rejects it with the remedy. The type and the document have only the supported format.
 * `as`: no request with `url` passes the rule.
 */
const ImageResponseFormat = z.enum(['b64_json', 'url']).meta({ enum: ['b64_json'] }) as unknown as z.ZodType<'b64_json', 'b64_json'>;

const options = {
  prompt: z
    .string()
    .min(1)
    .max(32_000)
    .meta({
      description: 'A text description of the image to generate, or of the change to make. 1 to 32,000 characters.',
      examples: ['A lighthouse in the fog'],
    }),
  model: Id.meta({ description: 'The ID of an image model, as listed by `GET /v1/models`.', examples: ['gpt-image-2'] }),
  n: toNullish(z.int().min(1).max(10)).describe(
    'How many images to generate, from 1 to 10; each is charged. Defaults to 1. Must be 1 with `stream: true`.',
  ),
  size: toNullish(z.string().max(16).meta({ pattern: SIZE_PATTERN.source })).describe(
    '`auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, with one side at most 3 times the other, up to 3840x2160 in either orientation. Defaults to `auto`, which lets the upstream decide. The price can depend on the size.',
  ),
  quality: toNullish(Word).describe(
    "The quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that support it. Defaults to `auto`, which lets the upstream decide. The price can depend on the quality; until it's known, the highest price is reserved.",
  ),
  background: toNullish(z.enum(['auto', 'opaque', 'transparent'])).describe(
    'The background of the image. `transparent` requires `png` or `webp`, and a model that supports it, unlike `gpt-image-2`. Defaults to `auto`, which lets the upstream decide.',
  ),
  output_format: toNullish(Word).describe(
    'The image format: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that support it. Each frame of a `gif` is charged as an image. Defaults to `png`. The simulator supports only `png`.',
  ),
  output_compression: toNullish(z.int().min(0).max(100)).describe(
    'The quality of the encoding, from 0 to 100, where 100 gives the largest file. Supported for `jpeg` and `webp` only. Defaults to 100.',
  ),
  moderation: toNullish(z.enum(['auto', 'low'])).describe(
    'How strictly the upstream moderates the request. A request that moderation rejects returns 400 `moderation_blocked`. Defaults to `auto`.',
  ),
  stream: toNullish(z.boolean()).describe('Whether to stream partial images and the final image as server-sent events. Defaults to false.'),
  partial_images: toNullish(z.int().min(0).max(3)).describe(
    'Optional. How many partial images to send, from 0 to 3. Requires `stream: true`. The upstream may send fewer.',
  ),
  complexity: toNullish(Word).describe(
    'How much the model plans the image: `low`, `medium`, or `high`, for models that support it. Optional; the model decides if omitted.',
  ),
  frame_count: toNullish(z.int().min(1).max(100)).describe(
    'Number of frames in a `gif`, from 1 to 100; each is charged as an image. Defaults to 9.',
  ),
  frame_duration_ms: toNullish(z.int().min(1).max(1_000_000)).describe(
    'How long each frame of a `gif` is shown, in milliseconds. Defaults to 200.',
  ),
  svg: toNullish(z.looseObject({})).describe('Optional. Options for an `svg`, for models that are configured to accept them.'),
  user: markDeprecated(toNullish(Label), 'use `safety_identifier`. The gateway forwards it to the upstream.'),
  safety_identifier: toNullish(z.string().max(64)).describe(
    'Optional. A stable, opaque ID of your end user, which lets the provider identify users who violate its policies.',
  ),
  response_format: toNullish(ImageResponseFormat).describe(
    'Images are always returned as base64, so only `b64_json` is supported; `url` returns 400. Defaults to `b64_json`.',
  ),
};

export const ImageGenerationRequest = z
  .looseObject(options)
  .check(rejectMisplacedFields(misplacedInGenerations), ...imageRules)
  .meta({
    id: 'ImageGenerationRequest',
    ...imageConflicts,
    description:
      'The image to generate, and its options. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them.',
    examples: [{ model: 'gpt-image-2', prompt: 'A lighthouse in the fog', size: '1024x1024' }],
  });
export type ImageGenerationRequest = z.infer<typeof ImageGenerationRequest>;

const ImageReference = z
  .looseObject({
    image_url: toNullish(z.string().max(MAX_IMAGE_TEXT)).describe(
      'A data URL of a PNG, JPEG, or WebP image, up to 20 MiB of text, or an https URL that the upstream can fetch. The gateway never fetches it. Omit only if you send `file_id`. The simulator accepts only data URLs.',
    ),
    file_id: toNullish(Id).describe(
      'The ID of a file stored at the upstream. The gateway has no Files API. Omit if you send `image_url`. Returns 400 on the simulator.',
    ),
  })
  .meta({ id: 'ImageReference', description: 'An image in a JSON body.' });

const fidelity = toNullish(z.enum(['high', 'low'])).describe(
  "How closely the output matches the input images. Forwarded to the upstream; `gpt-image-2` doesn't use it. Optional; the provider decides if omitted.",
);

export const ImageEditRequest = z
  .looseObject({
    ...options,
    images: z.array(ImageReference).min(1).max(MAX_IMAGES).describe(`The images to edit or to use as input: 1 to ${MAX_IMAGES}.`),
    mask: toNullish(ImageReference).describe(
      'A PNG of up to 4 MB, with the same size as the first image. Its transparent areas mark where to edit that image. Omit to allow changes to the entire image.',
    ),
    input_fidelity: fidelity,
  })
  .check(rejectMisplacedFields(misplacedInEdits), ...imageRules)
  .meta({
    id: 'ImageEditRequest',
    ...imageConflicts,
    description: 'The JSON form of an edit. Fields set to null are treated as omitted.',
    examples: [{ model: 'gpt-image-2', prompt: 'Add a hat', images: [{ image_url: 'data:image/png;base64,iVBORw0KGgo=' }] }],
  });
export type ImageEditRequest = z.infer<typeof ImageEditRequest>;

const file = z.string().meta({ format: 'binary', description: 'A PNG, JPEG, or WebP file of up to 50 MB.' });

/** The multipart form of an edit. Only the document uses it: the server converts forms into the JSON body, and validates that body. */
export const ImageEditForm = z
  .object({
    ...options,
    image: z
      .array(file)
      .min(1)
      .max(MAX_IMAGES)
      .describe(
        `One \`image\` part per image, 1 to ${MAX_IMAGES}. Parts can also be named \`image[]\`, as the official SDKs do for several images.`,
      ),
    mask: z
      .string()
      .meta({
        format: 'binary',
        description:
          'A PNG of up to 4 MB, with the same size as the first image. Its transparent areas mark where to edit that image. Omit to allow changes to the entire image.',
      })
      .optional(),
    input_fidelity: fidelity,
  })
  .meta({ id: 'ImageEditForm', description: 'The multipart form of an edit, as sent by the official SDKs.' });

const ImageTokens = z
  .looseObject({
    text_tokens: Tokens.describe('Number of text tokens.'),
    image_tokens: Tokens.describe('Number of image tokens.'),
  })
  .meta({ id: 'ImageTokens', description: 'Text and image tokens.' });

export const ImageUsage = z
  .looseObject({
    input_tokens: Tokens.describe('Number of tokens in the prompt and the input images.'),
    output_tokens: Tokens.describe('Number of tokens in the generated images.'),
    total_tokens: Tokens.describe('The sum of `input_tokens` and `output_tokens`.'),
    input_tokens_details: ImageTokens.describe('Breakdown of `input_tokens`.'),
    output_tokens_details: ImageTokens.nullish().describe("Breakdown of `output_tokens`. Omitted if the upstream doesn't report it."),
  })
  .meta({
    id: 'ImageUsage',
    description: 'Tokens used by the request, as counted by the upstream. Images are charged per image, not by these tokens.',
  });

const outputFields = {
  background: z
    .string()
    .nullish()
    .describe("The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it."),
  output_format: z
    .string()
    .nullish()
    .describe("The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it."),
  quality: z
    .string()
    .nullish()
    .describe("The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it."),
  size: z.string().nullish().describe("The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it."),
};
const IMAGE_DATA = 'The image in base64, without a data URL prefix.';

export const ImageList = z
  .looseObject({
    created: UnixSeconds,
    ...outputFields,
    data: z
      .array(
        z
          .looseObject({
            b64_json: z.string().optional().describe(`${IMAGE_DATA} Omitted only if the image has \`url\`.`),
            url: z
              .string()
              .optional()
              .describe(
                'The URL at which the upstream stores the image for a limited time. Only older models return one; otherwise omitted.',
              ),
            revised_prompt: z
              .string()
              .nullish()
              .describe('The prompt as revised by the model. Omitted if the model used the prompt unchanged.'),
          })
          .meta({ id: 'GeneratedImage', description: 'An image, as base64 in `b64_json` or, for older models, as `url`.' }),
      )
      .describe('The images, at most `n`.'),
    usage: ImageUsage.nullish().describe("Tokens used by the request. Omitted if the upstream doesn't report them."),
  })
  .meta({ id: 'ImageList', description: 'The generated images, in `data[].b64_json`. The other fields apply to all of them.' });
export type ImageList = z.infer<typeof ImageList>;

const frameFields = { created_at: UnixSeconds, ...outputFields };
const partialFields = {
  b64_json: z.string().describe('The partial image in base64, without a data URL prefix.'),
  ...frameFields,
  partial_image_index: Index.describe('Index of the partial image, from 0.'),
};
const finishedFields = {
  b64_json: z.string().describe(IMAGE_DATA),
  ...frameFields,
  usage: ImageUsage.nullish().describe("Tokens used by the request. Omitted if the upstream doesn't report them."),
  safety_identifier: z.string().nullish().describe("`safety_identifier` of the request. Omitted if the upstream doesn't repeat it."),
};

const ImageErrorEvent = z
  .looseObject({
    type: createTypeField('error'),
    error: z
      .looseObject({
        message: z.string().describe('A human-readable message with the problem and how to fix it.'),
        type: z.string().describe('The general category of the error, as in an error body.'),
        param: z.string().nullable().describe('The path of the field that caused the error. Null if no field caused it.'),
        code: z.string().nullable().describe('The reason, for use in code: an error code of this API. Never null.'),
      })
      .describe("The error, as in the body of a response that isn't 2xx."),
  })
  .meta({ id: 'ImageErrorEvent', description: 'The last event of a stream that failed.' });

const PARTIAL_DESCRIPTION = 'A partial image, to show until the next one arrives.';
const FINISHED_DESCRIPTION = 'The last event of a stream that succeeded, with the complete image.';

const STREAM_DESCRIPTION = "A stream has partial images, then exactly one completed or error event. It doesn't end with `[DONE]`.";

export const ImageGenerationEvent = createOpenUnion(
  [
    z
      .looseObject({ type: createTypeField('image_generation.partial_image'), ...partialFields })
      .meta({ id: 'ImageGenerationPartialImageEvent', description: PARTIAL_DESCRIPTION }),
    z
      .looseObject({ type: createTypeField('image_generation.completed'), ...finishedFields })
      .meta({ id: 'ImageGenerationCompletedEvent', description: FINISHED_DESCRIPTION }),
    ImageErrorEvent,
  ],
  { id: 'ImageGenerationUnknownEvent', shape: {} },
).meta({ id: 'ImageGenerationEvent', description: STREAM_DESCRIPTION });
export type ImageGenerationEvent = z.infer<typeof ImageGenerationEvent>;

export const ImageEditEvent = createOpenUnion(
  [
    z
      .looseObject({ type: createTypeField('image_edit.partial_image'), ...partialFields })
      .meta({ id: 'ImageEditPartialImageEvent', description: PARTIAL_DESCRIPTION }),
    z
      .looseObject({ type: createTypeField('image_edit.completed'), ...finishedFields })
      .meta({ id: 'ImageEditCompletedEvent', description: FINISHED_DESCRIPTION }),
    ImageErrorEvent,
  ],
  { id: 'ImageEditUnknownEvent', shape: {} },
).meta({ id: 'ImageEditEvent', description: STREAM_DESCRIPTION });
export type ImageEditEvent = z.infer<typeof ImageEditEvent>;
