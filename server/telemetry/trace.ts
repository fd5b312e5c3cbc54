/** Traces: one span for each request and one for each attempt at an upstream, pushed by OTLP. Loaded only when traces are on. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type Sampler, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { type AttemptRecord, errorTypeOf, operationOf, providerOf, type RequestRecord, type RequestTrace, type Telemetry } from './log.ts';

export interface TracesParts {
  readonly exporter: SpanExporter;
  readonly resource: Resource;
  readonly sampler: Sampler;
  /** How long spans are gathered before they are pushed. */
  readonly gatherMs: number;
  /** Whether upstreams get a `traceparent`. */
  readonly toUpstreams: boolean;
}

export interface Traces {
  readonly begin: NonNullable<Telemetry['beginTrace']>;
  close(): Promise<void>;
}

export function openTraces({ exporter, resource, sampler, gatherMs, toUpstreams }: TracesParts): Traces {
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: gatherMs });
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
  const tracer = provider.getTracer('modelgate');
  return {
    begin({ method, route, traceparent }) {
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } };
      const span = tracer.startSpan(`${method} ${route}`, options, parentOf(traceparent));
      return new SpansOfRequest(span, {
        toUpstreams,
        start: (name, attributes) => tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, span)),
      });
    },
    close: () => provider.shutdown(),
  };
}

/** Version 00 has four fields; a later one may have more after them (W3C Trace Context, 4.3). */
const form = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** An invalid `traceparent` begins a new trace. `tracestate` is not used: the caller controls its content. */
function parentOf(traceparent: unknown) {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  const isRead = version !== undefined && (version !== '00' || more === undefined) && isSpanContextValid(parent);
  return isRead ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

interface Tracing {
  readonly toUpstreams: boolean;
  start(name: string, attributes: Attributes): Span;
}

class SpansOfRequest implements RequestTrace {
  readonly #span: Span;
  readonly #tracing: Tracing;
  readonly #attempts: { readonly span: Span; readonly startedAt: number }[] = [];

  constructor(span: Span, tracing: Tracing) {
    this.#span = span;
    this.#tracing = tracing;
  }

  beginAttempt(upstream: string): string | undefined {
    const span = this.#tracing.start('attempt', { 'modelgate.upstream': upstream });
    this.#attempts.push({ span, startedAt: performance.timeOrigin + performance.now() });
    return this.#tracing.toUpstreams ? traceparentOf(span) : undefined;
  }

  end(record: RequestRecord): void {
    for (const [index, attempt] of this.#attempts.entries()) this.#endAttempt(attempt, record, index);
    if (this.#span.isRecording()) this.#describe(record);
    this.#span.end();
  }

  /** The span of the successful attempt lasts to the end of the answer. */
  #endAttempt({ span, startedAt }: { readonly span: Span; readonly startedAt: number }, record: RequestRecord, index: number): void {
    const attempt = record.attempts[index];
    if (span.isRecording()) {
      span.updateName(nameOf(record));
      span.setAttributes({ ...genAiOf(record), ...attributesOf(attempt) });
      if (attempt?.code) span.setStatus({ code: SpanStatusCode.ERROR });
    }
    if (attempt?.code) span.end(startedAt + attempt.ms);
    else span.end();
  }

  #describe(record: RequestRecord): void {
    const { line, cost } = record;
    this.#span.setAttributes({
      ...genAiOf(record),
      'http.response.status_code': line.status,
      'error.type': errorTypeOf(record),
      'gen_ai.usage.input_tokens': line.inputTokens,
      'gen_ai.usage.output_tokens': line.outputTokens,
      'modelgate.request.id': line.id,
      'modelgate.upstream': line.upstream,
      'modelgate.attempts': record.attempts.length,
      'modelgate.first_event_ms': line.firstEventMs,
      'modelgate.cost': cost === null ? undefined : Number(cost),
      'modelgate.end': line.end,
    });
    // A 4xx is not an error of a server span (HTTP conventions).
    if (line.status >= 500 || line.end === 'failed') this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

const nameOf = (record: RequestRecord): string => `${operationOf(record) ?? 'ask'} ${record.line.model ?? ''}`.trimEnd();

function genAiOf(record: RequestRecord): Attributes {
  const operation = operationOf(record);
  if (operation === undefined || record.line.model === undefined) return {};
  return { 'gen_ai.operation.name': operation, 'gen_ai.provider.name': providerOf(record), 'gen_ai.request.model': record.line.model };
}

const attributesOf = (attempt: AttemptRecord | undefined): Attributes => ({
  'http.response.status_code': attempt?.status ?? undefined,
  'error.type': attempt?.code ?? undefined,
});

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

export interface LoopDelay {
  /** Over the last seconds. A second reader shortly after the first gets the same value. */
  look(): readonly { readonly percentile: string; readonly seconds: number }[];
  close(): void;
}

const RESOLUTION_MS = 20;
const KEPT_MS = 5_000;
const percentiles = [50, 99, 100];

export function openLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let seen: ReturnType<LoopDelay['look']> = [];
  let seenAt = Number.NEGATIVE_INFINITY;
  return {
    look() {
      if (performance.now() - seenAt < KEPT_MS) return seen;
      // The measured value includes the interval of the timer itself.
      const late = (percentile: number): number => Math.max(histogram.percentile(percentile) / 1e6 - RESOLUTION_MS, 0) / 1_000;
      seen = percentiles.map((percentile) => ({ percentile: `${percentile}`, seconds: late(percentile) }));
      seenAt = performance.now();
      histogram.reset();
      return seen;
    },
    close: () => histogram.disable(),
  };
}
