/** Rules for an image request that involve several fields: options that need or exclude each other. */
import type { ErrorCode } from './errors.ts';
import { type Fields, isFields, isSet, type RuleIssue, refusing, rule, together } from './rule.ts';

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
