/** The maximum cost of a call, before it's made: runs the call's checks and computes its hold, without storing or counting anything. */
import { z } from 'zod';
import { SignedDollars } from '../admin/fields.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { ErrorBody } from '../shared/error-bodies.ts';
import { createResponses, defineMetadata } from './answers.ts';
import { PLAYGROUND } from './playground.ts';

const operation = z.enum(['createResponse', 'createChatCompletion', 'generateImages', 'editImages']);

export const EstimateCostRequest = z
  .strictObject({
    operation: operation.describe('The operation under `/v1` that the call would use.'),
    body: z.looseObject({}).describe('The body of the call, at most 1 MiB.'),
  })
  .meta({
    id: 'EstimateCostRequest',
    description: "A call to estimate. It isn't made.",
    examples: [{ operation: 'createResponse', body: { model: 'gpt-5.4', input: 'Why is the sky blue?' } }],
  });

const RemainingWindow = z
  .object({
    limit: z.int().describe('The limit per minute.'),
    remaining: z.int().describe('How much of the limit remains.'),
    reset_ms: z.int().describe('Milliseconds until the limit is fully restored.'),
  })
  .meta({ id: 'RemainingLimit', description: 'The limit with the least remaining among those that apply to the call.' });

export const CostEstimate = z
  .object({
    object: createTypeField('cost_estimate'),
    max_cost: Dollars.nullable().describe(
      'The amount that would be reserved: the maximum cost of the call. Null if calls are free, or if the call would be rejected.',
    ),
    available: SignedDollars.nullable().describe("The account's available balance, without reserved amounts. Null if calls are free."),
    output_limit: z
      .int()
      .nullable()
      .describe(
        "The output limit in tokens that the gateway would set, because the account can't pay for more. Null if it would set none.",
      ),
    error: ErrorBody.shape.error.nullable().describe('The error that the call would be rejected with. Null if these checks would pass.'),
    requests: RemainingWindow.nullable().describe('Requests per minute. Null if not limited.'),
    tokens: RemainingWindow.nullable().describe('Tokens per minute. Null if not limited.'),
  })
  .meta({ id: 'CostEstimate', description: 'The maximum cost of a call, and the remainder of its limits.' });
export type CostEstimate = z.infer<typeof CostEstimate>;

export const portalEstimate = {
  estimateCost: {
    method: 'POST',
    path: `${PLAYGROUND}/estimate`,
    body: EstimateCostRequest,
    responses: createResponses('estimateCost', CostEstimate),
    summary: 'Estimate the cost of a call',
    description:
      'Runs the checks of a call without making it. Nothing is reserved, charged, counted toward a limit, or sent to an upstream. If the call would be rejected, the response contains its error.',
    metadata: defineMetadata({ tag: 'Usage' }),
  },
} as const;
