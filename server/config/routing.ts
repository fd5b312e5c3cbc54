/** How a call finds its upstream: the candidates of a model, attempts and their deadline, and the circuit breaker (promise G5). */
import { z } from 'zod';
import { HOUR, MINUTE, SECOND, whole } from './bounds.ts';
import { Prices } from './prices.ts';
import { Protocols } from './upstream-schema.ts';
import { ModelId, UpstreamName } from './values.ts';

export const Candidate = z.strictObject({
  upstream: UpstreamName.meta({ description: 'An upstream that serves the model.', examples: ['openai'] }),
  upstreamModel: ModelId.optional().meta({
    description: 'Its name there. Default: the `id` of the model.',
    examples: ['gpt-5.4-2026-03-05'],
  }),
  protocols: Protocols.optional().meta({
    description: 'Protocols to use there; that of the caller is preferred. Default: all that fit.',
    examples: [['responses']],
  }),
  priority: whole(
    { from: 1, to: 100, standard: 1 },
    'Candidates of priority 1 are used before those of 2, as long as one of them is healthy.',
  ),
  weight: whole({ from: 1, to: 1_000, standard: 1 }, 'Relative share of the calls among candidates of the same priority.'),
  cost: Prices.optional().meta({
    description:
      'What the vendor bills you there, in the form of `prices`, or `free`. Operators see it beside what was charged; no caller pays or sees it. Default: not known.',
    examples: [{ input: '0.9', cachedInput: '0.09', output: '7.2' }],
  }),
});

export const Routing = z.strictObject({
  maxAttempts: whole(
    { from: 1, to: 10, standard: 3 },
    'The most attempts of one request, over all candidates. A candidate that failed is tried once more.',
  ),
  deadlineMs: whole(
    { from: 100, to: HOUR, standard: 2 * MINUTE },
    'Time from the start of a request after which no further attempt begins.',
  ),
  affinity: z
    .enum(['key', 'session', 'none'])
    .default('key')
    .meta({
      description:
        'What keeps calls at one candidate, for cache hits at its vendor. `session`: `prompt_cache_key`, or the response that is continued. `key`: those, else the API key. `none`: nothing.',
      examples: ['session'],
    }),
  breaker: z
    .strictObject({
      failures: whole({ from: 1, to: 1_000, standard: 5 }, 'Failures in a row after which the circuit of a model at an upstream opens.'),
      cooldownMs: whole(
        { from: 10, to: HOUR, standard: 10 * SECOND },
        'How long the circuit stays open; twice as long after each failed trial, up to ten minutes. A longer `retry-after` wins.',
      ),
    })
    .prefault({})
    .meta({ description: 'Circuit breaker: when a model at an upstream gets no calls for a while.' }),
});
