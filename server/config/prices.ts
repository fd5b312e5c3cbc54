/** Prices and multipliers as an operator writes them: decimal strings, because floats are not exact. */
import { z } from 'zod';

/** Dollars with at most six decimal places: a whole number of millionths. */
export const Dollars = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be dollars in quotes, such as '1.25', with at most six decimal places");
const Rate = z
  .string()
  .regex(
    /^\d{1,5}(?:\.\d{1,6})?$/,
    "must be dollars per million tokens in quotes, such as '1.25', below 100000, with at most six decimal places",
  );

export const Multiplier = z
  .string()
  .regex(/^(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/, "must be a number in quotes from '0' to '100', with at most six decimal places");

/** Tools that the caller runs cost only their tokens. */
const ToolCall = z
  .string()
  .max(64)
  .regex(/^(?!function_call$|custom_tool_call$)[a-z][a-z0-9_]*_call$/, 'must be the type of an output item such as web_search_call');

const TokenPrices = z.strictObject({
  input: Rate.meta({ description: 'Dollars per million input tokens.', examples: ['1.25'] }),
  cachedInput: Rate.optional().meta({
    description: 'Dollars per million input tokens read from a cache. Default: the price of input.',
    examples: ['0.125'],
  }),
  cacheWrite: Rate.optional().meta({
    description: 'Dollars per million input tokens written to a cache. Default: the price of input.',
    examples: ['1.25'],
  }),
  output: Rate.meta({ description: 'Dollars per million output tokens, reasoning included.', examples: ['10'] }),
  tools: z
    .record(ToolCall, Dollars.meta({ description: 'Dollars per call.', examples: ['0.01'] }))
    .optional()
    .meta({
      description:
        'Dollars per call of a tool that the upstream runs, by the type of its output item. A tool without a price is refused; a web search that is only offered is left out instead. `0` is a price.',
      examples: [{ web_search_call: '0.01', image_generation_call: '0.04' }],
    }),
});

/** `1024x1024/high`, `auto/low`, or `default` when no other entry matches. */
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
    .meta({ description: 'Dollars per image, by `size/quality`.', examples: [{ '1024x1024/low': '0.011', default: '0.25' }] }),
});

/** `free` must be explicit: a forgotten price must not make a model free. */
export const Prices = z.union([z.literal('free'), ImagePrices, TokenPrices], {
  error: 'must be free, or input and output, or images',
});
export type Prices = z.infer<typeof Prices>;
