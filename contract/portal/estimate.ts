/** What a call would cost at most, before it is made: a dry run of its checks and of its hold, which keeps nothing and counts nothing. */
import { z } from 'zod';
import { SignedDollars } from '../admin/fields.ts';
import { ErrorBody } from '../errors.ts';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { answers, metadata } from './answers.ts';
import { PLAYGROUND } from './playground.ts';

const operation = z.enum(['createResponse', 'createChatCompletion', 'generateImages', 'editImages']);

export const EstimateCostRequest = z
  .strictObject({
    operation: operation.describe('The operation under `/v1` that would be called.'),
    body: z.looseObject({}).describe('The body of that call, at most 1 MiB.'),
  })
  .meta({
    id: 'EstimateCostRequest',
    description: 'A call that has not been made.',
    examples: [{ operation: 'createResponse', body: { model: 'gpt-5.4', input: 'Why is the sky blue?' } }],
  });

const Left = z
  .object({
    limit: z.int().describe('The limit for a minute.'),
    remaining: z.int().describe('What is left of it now.'),
    reset_ms: z.int().describe('Milliseconds until all of it is free again.'),
  })
  .meta({ id: 'RemainingLimit', description: 'The limit that is nearest of those that apply to the call.' });

export const CostEstimate = z
  .object({
    object: kind('cost_estimate'),
    max_cost: Dollars.nullable().describe(
      'What would be held, which is the most that the call can cost. Null when calls cost nothing here, or the call would be rejected.',
    ),
    available: SignedDollars.nullable().describe(
      'What is left of the balance of the account now, without what is held. Null when calls cost nothing here.',
    ),
    output_limit: z
      .int()
      .nullable()
      .describe('The output limit in tokens that the call would get, because the money pays for no more. Null: none is set.'),
    error: ErrorBody.shape.error
      .nullable()
      .describe('The error with which the call would be rejected now. Null: none of these checks refuses it.'),
    requests: Left.nullable().describe('Requests a minute. Null: not limited.'),
    tokens: Left.nullable().describe('Tokens a minute. Null: not limited.'),
  })
  .meta({ id: 'CostEstimate', description: 'What a call would cost at most, and what is left of its limits.' });
export type CostEstimate = z.infer<typeof CostEstimate>;

export const portalEstimate = {
  estimateCost: {
    method: 'POST',
    path: `${PLAYGROUND}/estimate`,
    body: EstimateCostRequest,
    responses: answers('estimateCost', CostEstimate),
    summary: 'Estimate the cost of a call',
    description:
      'Runs the checks of a call and of its hold, without the call: nothing is held, charged, counted against a limit or sent to an upstream. A refusal is in the answer, in the words that the call would get.',
    metadata: metadata({ tag: 'Usage' }),
  },
} as const;
