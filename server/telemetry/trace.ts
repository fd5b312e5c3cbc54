/** Records traces: one span per request and one per attempt at an upstream, pushed by OTLP. Loaded only when traces are on. */

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
import { findErrorType, findGenAiOperation, getProviderName } from './gen-ai.ts';
import type { AttemptRecord, RequestRecord, RequestTrace, Telemetry } from './telemetry.ts';

interface TracesOptions {
  readonly exporter: SpanExporter;
  readonly resource: Resource;
  readonly sampler: Sampler;
  /** How long spans are batched before they're pushed. */
  readonly gatherMs: number;
  /** Whether upstreams get a `traceparent`. */
  readonly toUpstreams: boolean;
}

export function openTraces({ exporter, resource, sampler, gatherMs, toUpstreams }: TracesOptions): {
  begin: NonNullable<Telemetry['beginTrace']>;
  close(): Promise<void>;
} {
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: gatherMs });
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
  const tracer = provider.getTracer('modelgate');
  return {
    begin({ method, route, traceparent }) {
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } };
      const span = tracer.startSpan(`${method} ${route}`, options, parseParent(traceparent));
      return new RequestSpans(span, {
        toUpstreams,
        start: (name, attributes) => tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, span)),
      });
    },
    close: () => provider.shutdown(),
  };
}

/** Version 00 has four fields. A later version may append more (W3C Trace Context, 4.3). */
const traceparentPattern = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** An invalid `traceparent` starts a new trace. `tracestate` is ignored, because the caller controls its content. */
function parseParent(traceparent: unknown) {
  const [, version, traceId = '', spanId = '', flags = '', suffix] =
    traceparentPattern.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  const isValid = version !== undefined && (version !== '00' || suffix === undefined) && isSpanContextValid(parent);
  return isValid ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

interface SpanFactory {
  readonly toUpstreams: boolean;
  start(name: string, attributes: Attributes): Span;
}

class RequestSpans implements RequestTrace {
  readonly #span: Span;
  readonly #spanFactory: SpanFactory;
  readonly #attempts: { readonly span: Span; readonly startedAt: number }[] = [];

  constructor(span: Span, spanFactory: SpanFactory) {
    this.#span = span;
    this.#spanFactory = spanFactory;
  }

  beginAttempt(upstream: string): string | undefined {
    const span = this.#spanFactory.start('attempt', { 'modelgate.upstream': upstream });
    this.#attempts.push({ span, startedAt: performance.timeOrigin + performance.now() });
    return this.#spanFactory.toUpstreams ? formatTraceparent(span) : undefined;
  }

  end(record: RequestRecord): void {
    for (const [index, attempt] of this.#attempts.entries()) this.#endAttempt(attempt, record, index);
    if (this.#span.isRecording()) this.#setAttributes(record);
    this.#span.end();
  }

  /** The span of the successful attempt lasts until the end of the response. */
  #endAttempt({ span, startedAt }: { readonly span: Span; readonly startedAt: number }, record: RequestRecord, index: number): void {
    const attempt = record.attempts[index];
    if (span.isRecording()) {
      span.updateName(getSpanName(record));
      span.setAttributes({ ...toGenAiAttributes(record), ...toAttemptAttributes(attempt) });
      if (attempt?.code) span.setStatus({ code: SpanStatusCode.ERROR });
    }
    if (attempt?.code) span.end(startedAt + attempt.ms);
    else span.end();
  }

  #setAttributes(record: RequestRecord): void {
    const { line, cost } = record;
    this.#span.setAttributes({
      ...toGenAiAttributes(record),
      'http.response.status_code': line.status,
      'error.type': findErrorType(record),
      'gen_ai.usage.input_tokens': line.inputTokens,
      'gen_ai.usage.output_tokens': line.outputTokens,
      'modelgate.request.id': line.id,
      'modelgate.upstream': line.upstream,
      'modelgate.attempts': record.attempts.length,
      'modelgate.first_event_ms': line.firstEventMs,
      'modelgate.cost': cost === null ? undefined : Number(cost),
      'modelgate.end': line.end,
    });
    // A 4xx isn't an error of a server span (HTTP conventions).
    if (line.status >= 500 || line.end === 'failed') this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

const getSpanName = (record: RequestRecord): string => `${findGenAiOperation(record) ?? 'ask'} ${record.line.model ?? ''}`.trimEnd();

function toGenAiAttributes(record: RequestRecord): Attributes {
  const operation = findGenAiOperation(record);
  if (operation === undefined || record.line.model === undefined) return {};
  return { 'gen_ai.operation.name': operation, 'gen_ai.provider.name': getProviderName(record), 'gen_ai.request.model': record.line.model };
}

const toAttemptAttributes = (attempt: AttemptRecord | undefined): Attributes => ({
  'http.response.status_code': attempt?.status ?? undefined,
  'error.type': attempt?.code ?? undefined,
});

function formatTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
