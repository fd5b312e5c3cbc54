/** Records the metrics of a request that has ended. Prometheus reads them, or OTLP pushes them. Loaded only when metrics are on. */

import type { Meter } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider } from '@opentelemetry/sdk-metrics';
import { BufferedCounter, LabeledHistogram } from './buffered-counter.ts';
import { findErrorType, findGenAiOperation, getProviderName, UNKNOWN_LABEL } from './gen-ai.ts';
import { type Instrument, instruments } from './instruments.ts';
import { type LoopDelay, openLoopDelay } from './loop-delay.ts';
import { type BreakerState, type GaugeSources, type RequestRecord, wasConcurrencyLimited } from './telemetry.ts';

interface MetricsOptions {
  readonly readers: IMetricReader[];
  readonly resource: Resource;
  readonly watched: GaugeSources;
  /** Whether charges are also counted by account. */
  readonly countsAccounts: boolean;
}

export function openMetrics({ readers, resource, watched: gaugeSources, countsAccounts }: MetricsOptions): {
  record(record: RequestRecord): void;
  close(limitMs: number): Promise<void>;
} {
  const provider = new MeterProvider({ readers, resource });
  const meter = provider.getMeter('modelgate');
  const loopDelay = openLoopDelay();
  registerGauges(meter, gaugeSources, loopDelay);
  const recorder = new Recorder(meter, countsAccounts);
  return {
    record: (record) => recorder.record(record),
    async close(limitMs) {
      loopDelay.close();
      await provider.shutdown({ timeoutMillis: limitMs });
    },
  };
}

class Recorder {
  readonly #duration: LabeledHistogram;
  readonly #firstChunk: LabeledHistogram;
  readonly #tokens: LabeledHistogram;
  readonly #requests: BufferedCounter;
  readonly #attempts: BufferedCounter;
  readonly #overhead: LabeledHistogram;
  readonly #cost: BufferedCounter;
  readonly #accountCost: BufferedCounter | null;
  readonly #rejected: BufferedCounter;
  readonly #overloadRejected: BufferedCounter;
  readonly #concurrencyLimited: BufferedCounter;
  readonly #drained: BufferedCounter;
  readonly #protocolRetries: BufferedCounter;

  constructor(meter: Meter, countsAccounts: boolean) {
    this.#duration = new LabeledHistogram(meter, instruments.duration);
    this.#firstChunk = new LabeledHistogram(meter, instruments.firstChunk);
    this.#tokens = new LabeledHistogram(meter, instruments.tokens);
    this.#requests = new BufferedCounter(meter, instruments.requests);
    this.#attempts = new BufferedCounter(meter, instruments.attempts);
    this.#overhead = new LabeledHistogram(meter, instruments.overhead);
    this.#cost = new BufferedCounter(meter, instruments.cost);
    this.#accountCost = countsAccounts ? new BufferedCounter(meter, instruments.accountCost) : null;
    this.#rejected = new BufferedCounter(meter, instruments.rejected);
    this.#overloadRejected = new BufferedCounter(meter, instruments.shed);
    this.#concurrencyLimited = new BufferedCounter(meter, instruments.full);
    this.#drained = new BufferedCounter(meter, instruments.drained);
    this.#protocolRetries = new BufferedCounter(meter, instruments.turned);
  }

  record(record: RequestRecord): void {
    const {
      line,
      attempts,
      cost,
      rejectedBy,
      shed: overloadReason,
      drained: drainOutcome,
      hasSwitchedProtocol: isProtocolRetried,
    } = record;
    const { model = UNKNOWN_LABEL, upstream = 'none' } = line;
    this.#requests.add(1, [line.route, `${line.status}`, line.code ?? 'none', model, upstream, line.end]);
    for (const each of attempts) {
      this.#attempts.add(1, [each.upstream, model, toStatusClass(each.status), each.code ?? 'none']);
      if (wasConcurrencyLimited(each)) this.#concurrencyLimited.add(1, [each.upstream, model]);
    }
    if (cost !== null && cost > 0n) {
      this.#cost.add(Number(cost), [model, upstream]);
      if (line.accountId !== undefined) this.#accountCost?.add(Number(cost), [line.accountId]);
    }
    if (rejectedBy) this.#rejected.add(1, [rejectedBy.scope, rejectedBy.quantity]);
    if (overloadReason !== null) this.#overloadRejected.add(1, [overloadReason.replace(' ', '_')]);
    if (drainOutcome !== null) this.#drained.add(1, [upstream, drainOutcome]);
    if (isProtocolRetried) this.#protocolRetries.add(1, [upstream, model]);
    const operation = findGenAiOperation(record);
    if (operation !== undefined && attempts.length > 0) this.#recordOperation(record, operation, model);
  }

  #recordOperation(record: RequestRecord, operation: string, model: string): void {
    const { durationMs, firstEventMs, inputTokens, outputTokens, route } = record.line;
    const upstreamMs = record.attempts.reduce((sum, { ms }) => sum + ms, 0);
    this.#overhead.record(Math.max((firstEventMs ?? durationMs) - upstreamMs, 0) / 1000, [route]);
    const provider = getProviderName(record);
    this.#duration.record(durationMs / 1000, [operation, provider, model, findErrorType(record)]);
    if (firstEventMs !== undefined) this.#firstChunk.record(firstEventMs / 1000, [operation, provider, model]);
    if (inputTokens !== undefined) this.#tokens.record(inputTokens, [operation, provider, model, 'input']);
    if (outputTokens !== undefined) this.#tokens.record(outputTokens, [operation, provider, model, 'output']);
  }
}

/** An upstream can send any number as its status. */
const toStatusClass = (status: number | null): string =>
  status !== null && status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'none';

const breakerValues: Readonly<Record<BreakerState['state'], number>> = { closed: 0, half_open: 0.5, open: 1 };

function registerGauges(meter: Meter, gaugeSources: GaugeSources, loopDelay: LoopDelay): void {
  registerGauge(meter, instruments.streams, () => gaugeSources.streamsOpen());
  registerGauge(meter, instruments.webSockets, () => gaugeSources.webSocketsOpen());
  registerGauge(meter, instruments.holds, () => gaugeSources.holdsOpen());
  registerGauge(meter, instruments.outbox, () => gaugeSources.outboxWaiting());
  registerGauge(meter, instruments.shared, () => toGaugeValue(gaugeSources.isLimitShared()));
  registerGauge(meter, instruments.memory, () => process.memoryUsage.rss());
  registerGauge(meter, instruments.heap, () => process.memoryUsage().heapUsed);
  createObservableGauge(meter, instruments.loopDelay).addCallback((result) => {
    for (const { percentile, seconds } of loopDelay.read()) result.observe(seconds, { percentile });
  });
  createObservableGauge(meter, instruments.breaker).addCallback((result) => {
    for (const { upstream, upstreamModel: model, state } of gaugeSources.breakers())
      result.observe(breakerValues[state], { upstream, model });
  });
}

const toGaugeValue = (flag: boolean | null): number | null => (flag === null ? null : Number(flag));

/** Null values aren't exported. */
function registerGauge(meter: Meter, instrument: Instrument, getValue: () => number | null): void {
  createObservableGauge(meter, instrument).addCallback((result) => {
    const value = getValue();
    if (value !== null) result.observe(value);
  });
}

const createObservableGauge = (meter: Meter, { name, unit, description }: Instrument) =>
  meter.createObservableGauge(name, { unit, description });
