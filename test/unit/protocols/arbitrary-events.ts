/** Random legal sequences of the events of an answer: finished, cut or failed. */
import fc from 'fast-check';
import type { ErrorCode } from '../../../contract/errors.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent, FinishReason, Logprob } from '../../../server/protocols/canonical/canonical-events.ts';
import type { Usage } from '../../../server/protocols/usage.ts';
import { solid, words } from './arbitrary-values.ts';

const bytes = fc.option(fc.array(fc.nat({ max: 255 }), { maxLength: 4 }));
const token = fc.record({ token: words, logprob: fc.constantFrom(0, -0.5, -9999), bytes });
const logprobs: fc.Arbitrary<Logprob[]> = fc.array(
  fc.tuple(token, fc.array(token, { maxLength: 2 })).map(([chosen, top]) => ({ ...chosen, top })),
  { minLength: 1, maxLength: 2 },
);
export const usages: fc.Arbitrary<Usage> = fc
  .tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat())
  .map(([a, b, c, d]) => ({ input: Math.max(a, b), cached: Math.min(a, b), output: Math.max(c, d), reasoning: Math.min(c, d) }));

const citation = fc.record({
  type: fc.constant('url_citation'),
  url: fc.webUrl(),
  title: words,
  start_index: fc.nat({ max: 99 }),
  end_index: fc.nat({ max: 99 }),
});
const annotation = fc.oneof(citation, fc.constantFrom({ type: 'file_path', file_id: 'file-1' }, { type: 'file_citation', index: 0 }));

/** A step of an answer before its calls have indexes. */
type Step =
  | CanonicalEvent
  | { readonly kind: 'open'; readonly form: 'function' | 'custom'; readonly name: string; readonly namespace: string | null }
  | Fill;
/** More of the last item, where that is a call. */
interface Fill {
  readonly kind: 'fill';
  readonly text: string;
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: words.map((text): Step => ({ kind: 'text', text })) },
  { weight: 1, arbitrary: fc.tuple(solid, logprobs).map(([text, known]): Step => ({ kind: 'text', text, logprobs: known })) },
  { weight: 3, arbitrary: fc.tuple(fc.nat({ max: 2 }), words).map(([part, text]): Step => ({ kind: 'reasoning', part, text })) },
  {
    weight: 1,
    arbitrary: fc.base64String({ minLength: 4, maxLength: 12 }).map((sealed): Step => ({ kind: 'encrypted', encrypted: sealed })),
  },
  { weight: 1, arbitrary: annotation.map((found): Step => ({ kind: 'annotation', annotation: found })) },
  { weight: 1, arbitrary: words.map((text): Step => ({ kind: 'refusal', text })) },
  { weight: 1, arbitrary: usages.map((usage): Step => ({ kind: 'usage', usage })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('open'),
      form: fc.constantFrom('function', 'custom'),
      name: fc.constantFrom('get_rain', 'apply_patch', 'a__b'),
      namespace: fc.constantFrom('mcp', null, null),
    }),
  },
  { weight: 5, arbitrary: words.map((text): Step => ({ kind: 'fill', text })) },
);

/** Arguments fill the last item; those of a function are whole where another item follows. */
function number(told: readonly Step[]): CanonicalEvent[] {
  let calls = 0;
  let open: { readonly isFunction: boolean; isEmpty: boolean } | null = null;
  const fill = (text: string): CanonicalEvent => ({ kind: 'arguments', index: calls - 1, text });
  const leave = (): CanonicalEvent[] => {
    const last = open;
    open = null;
    return last?.isFunction ? [fill(last.isEmpty ? '{}' : '"}')] : [];
  };
  return told.flatMap((step): CanonicalEvent[] => {
    if (step.kind === 'usage') return [step];
    if (step.kind !== 'fill' && step.kind !== 'open') return [...leave(), step];
    if (step.kind === 'open') {
      const ended = leave();
      open = { isFunction: step.form === 'function', isEmpty: true };
      const index = calls++;
      return [...ended, { ...step, kind: 'call', index, callId: `call_${index}` }];
    }
    if (open === null) return [];
    const text = open.isFunction ? `${open.isEmpty ? '{"x":"' : ''}${JSON.stringify(step.text).slice(1, -1)}` : step.text;
    open.isEmpty = false;
    return [fill(text)];
  });
}

const codes: readonly ErrorCode[] = [
  ...(['upstream_error', 'upstream_unavailable', 'upstream_timeout', 'rate_limit_exceeded', 'context_length_exceeded'] as const),
  ...(['invalid_value', 'internal_error', 'no_upstream_available', 'token_limit_exceeded'] as const),
];
const failure: fc.Arbitrary<CanonicalEvent> = fc
  .tuple(fc.constantFrom(...codes), fc.option(fc.constant('input[2]')))
  .map(([code, param]) => ({ kind: 'failed', error: new GatewayError(code, param === null ? {} : { param }) }));

const start: fc.Arbitrary<CanonicalEvent[]> = fc.constantFrom([{ kind: 'start' }], []);
const body = fc.array(steps, { maxLength: 14, size: 'max' }).map(number);
const reasons: fc.Arbitrary<FinishReason> = fc.constantFrom('stop', 'stop', 'tool_calls', 'length', 'content_filter');
const ending: fc.Arbitrary<CanonicalEvent[]> = fc
  .tuple(reasons, fc.option(usages))
  .map(([reason, usage]) => [{ kind: 'finish', reason }, ...(usage === null ? [] : [{ kind: 'usage', usage } as const])]);
const joined = (...pieces: readonly fc.Arbitrary<CanonicalEvent[]>[]): fc.Arbitrary<CanonicalEvent[]> =>
  fc.tuple(...pieces).map((told) => told.flat());

/** Answers that finish. */
export const finishedAnswers: fc.Arbitrary<CanonicalEvent[]> = joined(start, body, ending);
/** Answers that fail before or after their end. */
export const failedAnswers: fc.Arbitrary<CanonicalEvent[]> = fc.oneof(
  joined(
    start,
    body,
    failure.map((event) => [event]),
  ),
  joined(
    start,
    body,
    ending,
    failure.map((event) => [event]),
  ),
);
/** Answers that stop without an end. */
export const cutAnswers: fc.Arbitrary<CanonicalEvent[]> = joined(start, body);
