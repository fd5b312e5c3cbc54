/** Image generations and edits: requests, answer and stream events (specification 2.5, 4.4 and 4.5). */
import { z } from 'zod';
import { Id, Index, Label, maybe, Tokens, UnixSeconds } from './bounds.ts';
import { foreignFields, foreignToEdits, foreignToGenerations } from './foreign.ts';
import { imageNever, imageRules, SIZE } from './image-rules.ts';

/** Most of one picture as a data URL; 20 MiB of text. */
const MAX_IMAGE_TEXT = 20 * 1024 * 1024;
export const MAX_IMAGES = 16;

const options = {
  prompt: z
    .string()
    .min(1)
    .max(32_000)
    .meta({ description: 'What to draw, or what to change.', examples: ['A lighthouse in the fog'] }),
  model: Id.meta({ description: 'Id of the image model.', examples: ['gpt-image-2'] }),
  n: maybe(z.int().min(1).max(10)).describe('Number of images. Absent: 1. With `stream: true` only 1.'),
  size: maybe(z.string().max(16).meta({ pattern: SIZE.source })).describe(
    '`auto`, or `<width>x<height>`: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction.',
  ),
  quality: maybe(z.enum(['auto', 'low', 'medium', 'high'])),
  background: maybe(z.enum(['auto', 'opaque', 'transparent'])).describe('`transparent` needs `png` or `webp`.'),
  output_format: maybe(z.enum(['png', 'jpeg', 'webp'])).describe('Absent: `png`.'),
  output_compression: maybe(z.int().min(0).max(100)).describe('Only with `jpeg` or `webp`. Absent: 100.'),
  moderation: maybe(z.enum(['auto', 'low'])),
  stream: maybe(z.boolean()).describe('True: partial images and the final one come as Server-Sent Events.'),
  partial_images: maybe(z.int().min(0).max(3)).describe('Only with `stream: true`: how many partial images to send. Fewer may come.'),
  user: maybe(Label).describe('Deprecated: use `safety_identifier`.'),
  safety_identifier: maybe(z.string().max(64)),
  response_format: maybe(z.enum(['b64_json', 'url'])).describe('Images always come as base64; `url` is refused.'),
};

export const ImageGenerationRequest = z
  .looseObject(options)
  .check(foreignFields(foreignToGenerations), ...imageRules)
  .meta({
    id: 'ImageGenerationRequest',
    ...imageNever,
    description: 'Null counts as absent.',
    examples: [{ model: 'gpt-image-2', prompt: 'A lighthouse in the fog', size: '1024x1024' }],
  });
export type ImageGenerationRequest = z.infer<typeof ImageGenerationRequest>;

const ImageReference = z
  .looseObject({
    image_url: maybe(z.string().max(MAX_IMAGE_TEXT)).describe('A data URL of a PNG, JPEG or WebP image.'),
    file_id: maybe(Id).describe('Not supported: there is no Files API.'),
  })
  .meta({ id: 'ImageReference' });

export const ImageEditRequest = z
  .looseObject({
    ...options,
    images: z.array(ImageReference).min(1).max(MAX_IMAGES).describe('The pictures to change or to draw from.'),
    mask: maybe(ImageReference).describe('Transparent pixels mark what to change in the first picture; same size as that picture.'),
    input_fidelity: maybe(z.enum(['high', 'low'])).describe('Taken; `gpt-image-2` does not use it.'),
  })
  .check(foreignFields(foreignToEdits), ...imageRules)
  .meta({
    id: 'ImageEditRequest',
    ...imageNever,
    description: 'The JSON form of an edit. Null counts as absent.',
    examples: [{ model: 'gpt-image-2', prompt: 'Add a hat', images: [{ image_url: 'data:image/png;base64,iVBORw0KGgo=' }] }],
  });
export type ImageEditRequest = z.infer<typeof ImageEditRequest>;

const file = z.string().meta({ format: 'binary', description: 'A PNG, JPEG or WebP file of at most 50 MB.' });

/** The form of an edit as uploads send it. The server turns it into the JSON form before it validates; this one is what readers see. */
export const ImageEditForm = z
  .object({
    ...options,
    image: z
      .array(file)
      .min(1)
      .max(MAX_IMAGES)
      .describe('One part `image` for each picture. Parts may be named `image[]` as well, as the official SDKs name several.'),
    mask: z.string().meta({ format: 'binary', description: 'A PNG of at most 4 MB, same size as the first picture.' }).optional(),
    input_fidelity: maybe(z.enum(['high', 'low'])),
  })
  .meta({ id: 'ImageEditForm', description: 'The multipart form of an edit, as the official SDKs send it.' });

const ImageTokens = z
  .looseObject({ text_tokens: Tokens, image_tokens: Tokens })
  .meta({ id: 'ImageTokens', description: 'Tokens by what they stand for.' });

export const ImageUsage = z
  .looseObject({
    input_tokens: Tokens,
    output_tokens: Tokens,
    total_tokens: Tokens,
    input_tokens_details: ImageTokens,
    output_tokens_details: ImageTokens.nullish(),
  })
  .meta({ id: 'ImageUsage' });

const drawn = {
  background: z.string().nullish(),
  output_format: z.string().nullish(),
  quality: z.string().nullish(),
  size: z.string().nullish(),
};

export const ImageList = z
  .looseObject({
    created: UnixSeconds,
    ...drawn,
    data: z.array(
      z
        .looseObject({ b64_json: z.string().optional(), url: z.string().optional(), revised_prompt: z.string().nullish() })
        .meta({ id: 'GeneratedImage', description: 'Carries `b64_json` (plain base64) or, from older models, `url`.' }),
    ),
    usage: ImageUsage.nullish(),
  })
  .meta({ id: 'ImageList' });
export type ImageList = z.infer<typeof ImageList>;

const frame = { b64_json: z.string(), created_at: UnixSeconds, ...drawn };
const partial = { ...frame, partial_image_index: Index };
const finished = { ...frame, usage: ImageUsage.nullish(), safety_identifier: z.string().nullish() };

const ImageErrorEvent = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
  })
  .meta({ id: 'ImageErrorEvent', description: 'The last event of a stream that failed.' });

export const ImageGenerationEvent = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('image_generation.partial_image'), ...partial }).meta({ id: 'ImageGenerationPartialImageEvent' }),
    z.looseObject({ type: z.literal('image_generation.completed'), ...finished }).meta({ id: 'ImageGenerationCompletedEvent' }),
    ImageErrorEvent,
  ])
  .meta({ id: 'ImageGenerationEvent', description: 'Partial images, then exactly one completed or error event. No `[DONE]`.' });
export type ImageGenerationEvent = z.infer<typeof ImageGenerationEvent>;

export const ImageEditEvent = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('image_edit.partial_image'), ...partial }).meta({ id: 'ImageEditPartialImageEvent' }),
    z.looseObject({ type: z.literal('image_edit.completed'), ...finished }).meta({ id: 'ImageEditCompletedEvent' }),
    ImageErrorEvent,
  ])
  .meta({ id: 'ImageEditEvent', description: 'Partial images, then exactly one completed or error event. No `[DONE]`.' });
export type ImageEditEvent = z.infer<typeof ImageEditEvent>;
