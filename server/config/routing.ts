/** How a call finds its upstream: the candidates of a model, how often and how long they are tried, and when one is left alone (promise G5). */
import { z } from 'zod';
import { HOUR, MINUTE, SECOND, whole } from './bounds.ts';
import { Protocols } from './upstream-schema.ts';
import { ModelId, UpstreamName } from './values.ts';

export const Candidate = z.strictObject({
  upstream: UpstreamName.meta({ description: 'An upstream that serves the model.', examples: ['openai'] }),
  upstreamModel: ModelId.optional().meta({
    description: 'Its name there; the same as the `id` of the model where left out.',
    examples: ['gpt-5.4-2026-03-05'],
  }),
  protocols: Protocols.optional().meta({
    description: 'Protocols that it is asked in there; all that fit where left out. The one of the caller is taken first.',
    examples: [['responses']],
  }),
  priority: whole({ from: 1, to: 100, standard: 1 }, 'Those of 1 are taken before those of 2, as long as one of them is well.'),
  weight: whole({ from: 1, to: 1_000, standard: 1 }, 'Share of the calls among candidates of one priority.'),
});

export const Routing = z.strictObject({
  maxAttempts: whole(
    { from: 1, to: 10, standard: 3 },
    'Most attempts of one request, over all candidates. A place that failed is tried once more.',
  ),
  deadlineMs: whole({ from: 100, to: HOUR, standard: 2 * MINUTE }, 'Time from the start of a request in which another attempt may begin.'),
  affinity: z
    .enum(['key', 'session', 'none'])
    .default('key')
    .meta({
      description:
        'What keeps calls at one candidate, so that the caches of its vendor hit. `session`: `prompt_cache_key` and the response gone on from. `key`: those, else the API key. `none`: nothing.',
      examples: ['session'],
    }),
  breaker: z
    .strictObject({
      failures: whole({ from: 1, to: 1_000, standard: 5 }, 'Failures in a row after which a model at an upstream is left alone.'),
      cooldownMs: whole(
        { from: 10, to: HOUR, standard: 10 * SECOND },
        'For how long; twice as long after each trial that fails, up to ten minutes. A longer `retry-after` counts.',
      ),
    })
    .prefault({})
    .meta({ description: 'When a model at an upstream is left alone for a while.' }),
});
