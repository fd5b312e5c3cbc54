/** Image generations and edits: requests, answer and stream events. */
import { z } from 'zod';
import { Id, Index, Label, maybe, Tokens, UnixSeconds } from './bounds.ts';
import { foreignFields, foreignToEdits, foreignToGenerations } from './foreign.ts';
import { imageNever, imageRules, SIZE } from './image-rules.ts';
import { deprecated, kind } from './wording.ts';

/** Most of one picture as a data URL; 20 MiB of text. */
const MAX_IMAGE_TEXT = 20 * 1024 * 1024;
export const MAX_IMAGES = 16;

const options = {
  prompt: z
    .string()
    .min(1)
    .max(32_000)
    .meta({ description: 'What to draw, or what to change. 1 to 32,000 characters.', examples: ['A lighthouse in the fog'] }),
  model: Id.meta({ description: 'Id of an image model, as `GET /v1/models` lists it.', examples: ['gpt-image-2'] }),
  n: maybe(z.int().min(1).max(10)).describe('Number of images, each of which is charged. Absent: 1. With `stream: true` only 1.'),
  size: maybe(z.string().max(16).meta({ pattern: SIZE.source })).describe(
    '`auto`, or `<width>x<height>` in pixels: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it.',
  ),
  quality: maybe(z.enum(['auto', 'low', 'medium', 'high'])).describe(
    'How much work goes into the picture. Absent: `auto`, the upstream decides. The price may depend on it; until it is known, that of the dearest is held.',
  ),
  background: maybe(z.enum(['auto', 'opaque', 'transparent'])).describe(
    'What is behind the subject. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides.',
  ),
  output_format: maybe(z.enum(['png', 'jpeg', 'webp'])).describe('How the picture is encoded. Absent: `png`. The simulator has no `webp`.'),
  output_compression: maybe(z.int().min(0).max(100)).describe(
    'Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100.',
  ),
  moderation: maybe(z.enum(['auto', 'low'])).describe(
    'How strictly the upstream judges what is asked for; what it refuses is 400 `moderation_blocked`. Absent: `auto`.',
  ),
  stream: maybe(z.boolean()).describe('True: partial images and the final one come as Server-Sent Events. Absent: false.'),
  partial_images: maybe(z.int().min(0).max(3)).describe(
    'How many partial images to send; only with `stream: true`. Fewer may come. Absent: none.',
  ),
  user: deprecated(maybe(Label), 'use `safety_identifier`. Handed on to the upstream.'),
  safety_identifier: maybe(z.string().max(64)).describe(
    'An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none is told.',
  ),
  response_format: maybe(z.enum(['b64_json', 'url'])).describe(
    'Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`.',
  ),
};

export const ImageGenerationRequest = z
  .looseObject(options)
  .check(foreignFields(foreignToGenerations), ...imageRules)
  .meta({
    id: 'ImageGenerationRequest',
    ...imageNever,
    description:
      'What to draw, and how. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-image-2', prompt: 'A lighthouse in the fog', size: '1024x1024' }],
  });
export type ImageGenerationRequest = z.infer<typeof ImageGenerationRequest>;

const ImageReference = z
  .looseObject({
    image_url: maybe(z.string().max(MAX_IMAGE_TEXT)).describe(
      'A data URL of a PNG, JPEG or WebP image, up to 20 MiB of text. An address on the web is 400, since the gateway fetches nothing, and so is a reference from which it is absent.',
    ),
    file_id: maybe(Id).describe('Id of a file, which is not supported: there is no Files API, and an id is 400. Leave it absent.'),
  })
  .meta({ id: 'ImageReference', description: 'A picture inside a JSON body.' });

const fidelity = maybe(z.enum(['high', 'low'])).describe(
  'How closely the result keeps to the given pictures. Handed on to the upstream; `gpt-image-2` does not use it. Absent: the upstream decides.',
);

export const ImageEditRequest = z
  .looseObject({
    ...options,
    images: z.array(ImageReference).min(1).max(MAX_IMAGES).describe(`The pictures to change or to draw from: 1 to ${MAX_IMAGES}.`),
    mask: maybe(ImageReference).describe(
      'A PNG of at most 4 MB. Transparent pixels mark what to change in the first picture; same size as that picture. Absent: all of it may change.',
    ),
    input_fidelity: fidelity,
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
      .describe(
        `One part \`image\` for each picture, 1 to ${MAX_IMAGES}. Parts may be named \`image[]\` as well, as the official SDKs name several.`,
      ),
    mask: z
      .string()
      .meta({
        format: 'binary',
        description:
          'A PNG of at most 4 MB, same size as the first picture. Transparent pixels mark what to change in it. Absent: all of it may change.',
      })
      .optional(),
    input_fidelity: fidelity,
  })
  .meta({ id: 'ImageEditForm', description: 'The multipart form of an edit, as the official SDKs send it.' });

const ImageTokens = z
  .looseObject({
    text_tokens: Tokens.describe('Tokens that went into text.'),
    image_tokens: Tokens.describe('Tokens that went into pictures.'),
  })
  .meta({ id: 'ImageTokens', description: 'Tokens by what they stand for.' });

export const ImageUsage = z
  .looseObject({
    input_tokens: Tokens.describe('Tokens of the prompt and of the pictures that were given.'),
    output_tokens: Tokens.describe('Tokens of the pictures that were drawn.'),
    total_tokens: Tokens.describe('The sum of `input_tokens` and `output_tokens`.'),
    input_tokens_details: ImageTokens.describe('Parts of `input_tokens`.'),
    output_tokens_details: ImageTokens.nullish().describe('Parts of `output_tokens`. Absent where the upstream tells none.'),
  })
  .meta({
    id: 'ImageUsage',
    description: 'What drawing used, in tokens, as the upstream counted it. The charge is by the picture and not by these.',
  });

const drawn = {
  background: z
    .string()
    .nullish()
    .describe('What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it.'),
  output_format: z
    .string()
    .nullish()
    .describe('How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it.'),
  quality: z
    .string()
    .nullish()
    .describe('The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it.'),
  size: z.string().nullish().describe('Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it.'),
};
const PICTURE_DATA = 'The picture in plain base64, without the head of a data URL.';

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
              .describe('Where the upstream keeps the picture for a while. Only older models have one; otherwise it is absent.'),
            revised_prompt: z
              .string()
              .nullish()
              .describe('What the model made of the prompt before it drew. Absent where it drew the prompt itself.'),
          })
          .meta({ id: 'GeneratedImage', description: 'A picture: carries `b64_json` (plain base64) or, from older models, `url`.' }),
      )
      .describe('The pictures: at most as many as `n`.'),
    usage: ImageUsage.nullish().describe('What drawing used. Absent where the upstream tells nothing.'),
  })
  .meta({ id: 'ImageList', description: 'The pictures are in `data[].b64_json`; the fields beside it say how all of them were drawn.' });
export type ImageList = z.infer<typeof ImageList>;

const frame = { created_at: UnixSeconds, ...drawn };
const partial = {
  b64_json: z.string().describe('The unfinished picture in plain base64, without the head of a data URL.'),
  ...frame,
  partial_image_index: Index.describe('Which partial image this is, from 0.'),
};
const finished = {
  b64_json: z.string().describe(PICTURE_DATA),
  ...frame,
  usage: ImageUsage.nullish().describe('What drawing used. Absent where the upstream tells nothing.'),
  safety_identifier: z.string().nullish().describe('`safety_identifier` of the request. Absent where the upstream does not repeat it.'),
};

const ImageErrorEvent = z
  .looseObject({
    type: kind('error'),
    error: z
      .looseObject({
        message: z.string().describe('What went wrong and what to do, in a sentence for people.'),
        type: z.string().describe('Coarse class of the error, as in the body of an error.'),
        param: z.string().nullable().describe('Path of the field at fault. Null: none is.'),
        code: z.string().nullable().describe('What went wrong, for programs: a code of the errors of this API. Never null.'),
      })
      .describe('The error, as in the body of an answer that is not 2xx.'),
  })
  .meta({ id: 'ImageErrorEvent', description: 'The last event of a stream that failed.' });

const PARTIAL = 'A picture on its way, to be shown until the next one comes.';
const FINISHED = 'The last event of a stream that went well: the whole picture.';

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
