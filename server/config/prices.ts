/** Prices and multipliers as an operator writes them: decimal texts, so that no float comes near money. */
import { z } from 'zod';

/** Dollars with at most six digits behind the point: a whole number of millionths. */
export const Dollars = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be dollars as a text in quotes, such as '1.25', with at most six digits behind the point");
const Rate = z
  .string()
  .regex(
    /^\d{1,5}(?:\.\d{1,6})?$/,
    "must be dollars per million tokens as a text in quotes, such as '1.25', below 100000, with at most six digits behind the point",
  );

export const Multiplier = z
  .string()
  .regex(
    /^(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/,
    "must be a text in quotes from '0' to '100' with at most six digits behind the point",
  );

/** Tools that the caller runs cost nothing here but their tokens. */
const ToolCall = z
  .string()
  .max(64)
  .regex(/^(?!function_call$|custom_tool_call$)[a-z][a-z0-9_]*_call$/, 'must be the type of an output item such as web_search_call');

const TokenPrices = z.strictObject({
  input: Rate.meta({ description: 'Dollars per million input tokens.', examples: ['1.25'] }),
  cachedInput: Rate.optional().meta({
    description: 'Dollars per million input tokens read from a cache; the price of input where left out.',
    examples: ['0.125'],
  }),
  cacheWrite: Rate.optional().meta({
    description: 'Dollars per million input tokens written to a cache; the price of input where left out.',
    examples: ['1.25'],
  }),
  output: Rate.meta({ description: 'Dollars per million output tokens, reasoning included.', examples: ['10'] }),
  tools: z
    .record(ToolCall, Dollars.meta({ description: 'Dollars per call.', examples: ['0.01'] }))
    .optional()
    .meta({
      description:
        'Dollars per call of a tool that the upstream runs itself, by the type of its output item. A tool without a price is refused, or left out where it is a search that is only offered; `0` is a price.',
      examples: [{ web_search_call: '0.01', image_generation_call: '0.04' }],
    }),
});

/** `1024x1024/high`, `auto/low`, or `default` for what no other entry fits. */
const PictureKind = z
  .string()
  .regex(
    /^(?:default|(?:\d{2,5}x\d{2,5}|auto|\*)\/(?:low|medium|high|auto|\*))$/,
    'must be size/quality such as 1024x1024/high, or default',
  );
const ImagePrices = z.strictObject({
  images: z
    .record(PictureKind, Dollars.meta({ description: 'Dollars per picture.', examples: ['0.25'] }))
    .refine((prices) => 'default' in prices, 'has no entry `default`, for sizes and qualities that no other entry fits')
    .meta({ description: 'Dollars per picture, by `size/quality`.', examples: [{ '1024x1024/low': '0.011', default: '0.25' }] }),
});

/** `free` has to be said: a model that was forgotten must not be given away. */
export const Prices = z.union([z.literal('free'), ImagePrices, TokenPrices], {
  error: 'must be free, or input and output, or images',
});
export type Prices = z.infer<typeof Prices>;
