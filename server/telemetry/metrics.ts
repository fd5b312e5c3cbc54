/** Records the metrics when a request has ended; Prometheus reads them or OTLP pushes them. Loaded only when metrics are on. */
import type { Meter } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider } from '@opentelemetry/sdk-metrics';
import { errorTypeOf, operationOf, providerOf, UNKNOWN } from './gen-ai.ts';
import { type Instrument, instruments } from './instruments.ts';
import { type LoopDelay, openLoopDelay } from './loop-delay.ts';
import { type BreakerState, type RequestRecord, type Watched, wasFull } from './record.ts';
import { Buckets, Tally } from './tally.ts';

export interface Metrics {
  record(record: RequestRecord): void;
  close(limitMs: number): Promise<void>;
}

export interface MetricsParts {
  readonly readers: IMetricReader[];
  readonly resource: Resource;
  readonly watched: Watched;
  /** Whether charges are counted by account, too. */
  readonly countsAccounts: boolean;
}

export function openMetrics({ readers, resource, watched, countsAccounts }: MetricsParts): Metrics {
  const provider = new MeterProvider({ readers, resource });
  const meter = provider.getMeter('modelgate');
  const delay = openLoopDelay();
  watch(meter, watched, delay);
  const recorder = new Recorder(meter, countsAccounts);
  return {
    record: (record) => recorder.record(record),
    async close(limitMs) {
      delay.close();
      await provider.shutdown({ timeoutMillis: limitMs });
    },
  };
}

class Recorder {
  readonly #duration: Buckets;
  readonly #firstChunk: Buckets;
  readonly #tokens: Buckets;
  readonly #requests: Tally;
  readonly #attempts: Tally;
  readonly #overhead: Buckets;
  readonly #cost: Tally;
  readonly #accountCost: Tally | null;
  readonly #refused: Tally;
  readonly #shed: Tally;
  readonly #full: Tally;
  readonly #drained: Tally;

  constructor(meter: Meter, countsAccounts: boolean) {
    this.#duration = new Buckets(meter, instruments.duration);
    this.#firstChunk = new Buckets(meter, instruments.firstChunk);
    this.#tokens = new Buckets(meter, instruments.tokens);
    this.#requests = new Tally(meter, instruments.requests);
    this.#attempts = new Tally(meter, instruments.attempts);
    this.#overhead = new Buckets(meter, instruments.overhead);
    this.#cost = new Tally(meter, instruments.cost);
    this.#accountCost = countsAccounts ? new Tally(meter, instruments.accountCost) : null;
    this.#refused = new Tally(meter, instruments.refused);
    this.#shed = new Tally(meter, instruments.shed);
    this.#full = new Tally(meter, instruments.full);
    this.#drained = new Tally(meter, instruments.drained);
  }

  record(record: RequestRecord): void {
    const { line, attempts, cost, refusedBy, shed, drained } = record;
    const { model = UNKNOWN, upstream = 'none' } = line;
    this.#requests.add(1, [line.route, `${line.status}`, line.code ?? 'none', model, upstream, line.end]);
    for (const each of attempts) {
      this.#attempts.add(1, [each.upstream, model, classOf(each.status), each.code ?? 'none']);
      if (wasFull(each)) this.#full.add(1, [each.upstream, model]);
    }
    if (cost !== null && cost > 0n) {
      this.#cost.add(Number(cost), [model, upstream]);
      if (line.accountId !== undefined) this.#accountCost?.add(Number(cost), [line.accountId]);
    }
    if (refusedBy) this.#refused.add(1, [refusedBy.scope, refusedBy.quantity]);
    if (shed !== null) this.#shed.add(1, [shed.replace(' ', '_')]);
    if (drained !== null) this.#drained.add(1, [upstream, drained]);
    const operation = operationOf(record);
    if (operation !== undefined && attempts.length > 0) this.#operation(record, operation, model);
  }

  #operation(record: RequestRecord, operation: string, model: string): void {
    const { durationMs, firstEventMs, inputTokens, outputTokens, route } = record.line;
    const asked = record.attempts.reduce((sum, { ms }) => sum + ms, 0);
    this.#overhead.record(Math.max((firstEventMs ?? durationMs) - asked, 0) / 1000, [route]);
    const provider = providerOf(record);
    this.#duration.record(durationMs / 1000, [operation, provider, model, errorTypeOf(record)]);
    if (firstEventMs !== undefined) this.#firstChunk.record(firstEventMs / 1000, [operation, provider, model]);
    if (inputTokens !== undefined) this.#tokens.record(inputTokens, [operation, provider, model, 'input']);
    if (outputTokens !== undefined) this.#tokens.record(outputTokens, [operation, provider, model, 'output']);
  }
}

/** An upstream may send any number as its status. */
const classOf = (status: number | null): string =>
  status !== null && status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'none';

const breakerValues: Readonly<Record<BreakerState['state'], number>> = { closed: 0, half_open: 0.5, open: 1 };

function watch(meter: Meter, watched: Watched, delay: LoopDelay): void {
  gauge(meter, instruments.streams, () => watched.streamsOpen());
  gauge(meter, instruments.holds, () => watched.holdsOpen());
  gauge(meter, instruments.outbox, () => watched.outboxWaiting());
  gauge(meter, instruments.shared, () => toNumber(watched.isLimitShared()));
  gauge(meter, instruments.memory, () => process.memoryUsage.rss());
  gauge(meter, instruments.heap, () => process.memoryUsage().heapUsed);
  observable(meter, instruments.loopDelay).addCallback((result) => {
    for (const { percentile, seconds } of delay.look()) result.observe(seconds, { percentile });
  });
  observable(meter, instruments.breaker).addCallback((result) => {
    for (const { upstream, upstreamModel: model, state } of watched.breakers()) result.observe(breakerValues[state], { upstream, model });
  });
}

const toNumber = (is: boolean | null): number | null => (is === null ? null : Number(is));

/** A null value is not exported. */
function gauge(meter: Meter, instrument: Instrument, look: () => number | null): void {
  observable(meter, instrument).addCallback((result) => {
    const value = look();
    if (value !== null) result.observe(value);
  });
}

const observable = (meter: Meter, { name, unit, description }: Instrument) => meter.createObservableGauge(name, { unit, description });
