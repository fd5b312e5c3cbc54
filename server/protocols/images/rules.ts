/** Checks an image request against what its model accepts. */

import { imageFields } from '../../../contract/images.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isSet } from '../../primitives/fields.ts';
import { AUTO } from './image-count.ts';

const createValueError = (param: string, message: string, code: CallCode = 'invalid_value') =>
  new GatewayError<CallCode>(code, { param, message });

/** Values that a model accepts, from the config or from built-in rules for known models. For omitted keys, the provider decides. */
interface ImageRules {
  readonly qualities?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly sizes?: readonly string[] | SizeGrid | undefined;
  readonly edits?: boolean | undefined;
}

/** Limits for image sizes, in pixels. */
type SizeGrid = Readonly<Record<'multipleOf' | 'maxRatio' | 'longSide' | 'shortSide', number>>;

/** Throws 400 for values that the model doesn't accept. `modelId` is the model's ID. */
export function checkImageRules(request: Fields, rules: ImageRules, modelId: string): void {
  const { quality, output_format: format, size } = request;
  const checkValue = (param: string, value: unknown, acceptedValues: readonly string[] | undefined): void => {
    if (typeof value !== 'string' || !acceptedValues || acceptedValues.includes(value)) return;
    throw createValueError(
      param,
      `'${param}: ${value.slice(0, 16)}' isn't supported by '${modelId}'. Supported: ${acceptedValues.map((word) => `'${word}'`).join(', ')}.`,
    );
  };
  checkValue('quality', quality, rules.qualities && [AUTO, ...rules.qualities]);
  checkValue('output_format', format, rules.formats);
  const sizeProblem = typeof size === 'string' && size !== AUTO && rules.sizes ? findSizeProblem(size, rules.sizes) : null;
  if (sizeProblem !== null) throw createValueError('size', `'size' ${sizeProblem} for '${modelId}'. Got '${size}'.`);
  for (const field of imageFields) {
    // With `svg`, the provider separately bills a model that it chooses, so only the operator can allow the field.
    const isFieldAccepted = rules.fields?.includes(field) ?? field !== 'svg';
    if (!isFieldAccepted && isSet(request[field]))
      throw createValueError(field, `'${field}' isn't supported by '${modelId}'. Omit it.`, 'unsupported_parameter');
  }
  if (rules.edits === false && isSet(request.images))
    throw createValueError('model', `'${modelId}' can't edit images. Use POST /v1/images/generations.`, 'unsupported_value');
}

function findSizeProblem(size: string, sizes: NonNullable<ImageRules['sizes']>): string | null {
  if (!('multipleOf' in sizes)) return sizes.includes(size) ? null : `must be 'auto' or one of ${sizes.join(', ')}`;
  const { multipleOf, maxRatio, longSide, shortSide } = sizes;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const [shorter, longer] = width < height ? [width, height] : [height, width];
  if (width % multipleOf !== 0 || height % multipleOf !== 0) return `must have sides that are multiples of ${multipleOf}`;
  if (longer > shorter * maxRatio) return `can't have a side more than ${maxRatio} times the other`;
  return longer > longSide || shorter > shortSide ? `can't exceed ${longSide}x${shortSide}` : null;
}
