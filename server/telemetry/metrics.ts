/** Records the metrics when a request has ended; Prometheus reads them or OTLP pushes them. Loaded only when metrics are on. */
import type { Attributes, Meter } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider } from '@opentelemetry/sdk-metrics';
import { type BreakerState, errorTypeOf, operationOf, providerOf, type RequestRecord, UNKNOWN, type Watched, wasFull } from './log.ts';
import { type LoopDelay, openLoopDelay } from './trace.ts';

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
  readonly #requests: BufferedCounter;
  readonly #attempts: BufferedCounter;
  readonly #overhead: Buckets;
  readonly #cost: BufferedCounter;
  readonly #accountCost: BufferedCounter | null;
  readonly #rejected: BufferedCounter;
  readonly #shed: BufferedCounter;
  readonly #full: BufferedCounter;
  readonly #drained: BufferedCounter;
  readonly #turned: BufferedCounter;

  constructor(meter: Meter, countsAccounts: boolean) {
    this.#duration = new Buckets(meter, instruments.duration);
    this.#firstChunk = new Buckets(meter, instruments.firstChunk);
    this.#tokens = new Buckets(meter, instruments.tokens);
    this.#requests = new BufferedCounter(meter, instruments.requests);
    this.#attempts = new BufferedCounter(meter, instruments.attempts);
    this.#overhead = new Buckets(meter, instruments.overhead);
    this.#cost = new BufferedCounter(meter, instruments.cost);
    this.#accountCost = countsAccounts ? new BufferedCounter(meter, instruments.accountCost) : null;
    this.#rejected = new BufferedCounter(meter, instruments.rejected);
    this.#shed = new BufferedCounter(meter, instruments.shed);
    this.#full = new BufferedCounter(meter, instruments.full);
    this.#drained = new BufferedCounter(meter, instruments.drained);
    this.#turned = new BufferedCounter(meter, instruments.turned);
  }

  record(record: RequestRecord): void {
    const { line, attempts, cost, rejectedBy, shed, drained, isTurned } = record;
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
    if (rejectedBy) this.#rejected.add(1, [rejectedBy.scope, rejectedBy.quantity]);
    if (shed !== null) this.#shed.add(1, [shed.replace(' ', '_')]);
    if (drained !== null) this.#drained.add(1, [upstream, drained]);
    if (isTurned) this.#turned.add(1, [upstream, model]);
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

export interface Instrument {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** UCUM; the words in braces name the counted objects. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly boundaries?: readonly number[];
}

const genAi = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'];
/** The buckets that the semantic conventions recommend. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** What a gateway adds is shorter. */
const shortSeconds = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 5.12];
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);

export const instruments = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the arrival of a call to the end of its response, including retries, for calls that reached an upstream.',
    labels: [...genAi, 'error.type'],
    boundaries: seconds,
  },
  firstChunk: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the arrival of a streamed call to its first event.',
    labels: genAi,
    boundaries: seconds,
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens of a call, as reported by the upstream.',
    labels: [...genAi, 'gen_ai.token.type'],
    boundaries: tokens,
  },
  overhead: {
    name: 'modelgate.overhead.duration',
    kind: 'histogram',
    unit: 's',
    description: "Time of a call that wasn't spent on upstream attempts, until its response or the first event of its stream.",
    labels: ['route'],
    boundaries: shortSeconds,
  },
  requests: {
    name: 'modelgate.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Completed requests.',
    labels: ['route', 'status', 'code', 'model', 'upstream', 'end'],
  },
  attempts: {
    name: 'modelgate.attempts',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Upstream attempts; more than one per request after a failure.',
    labels: ['upstream', 'model', 'status', 'code'],
  },
  cost: {
    name: 'modelgate.cost',
    kind: 'counter',
    unit: '{microdollar}',
    description: 'Charges of calls, in millionths of a dollar.',
    labels: ['model', 'upstream'],
  },
  accountCost: {
    name: 'modelgate.account.cost',
    kind: 'counter',
    unit: '{microdollar}',
    description: 'Charges of calls by account ID, in millionths of a dollar; only with `metrics.accounts`.',
    labels: ['account'],
  },
  rejected: {
    name: 'modelgate.limits.rejected',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that a limit rejected.',
    labels: ['scope', 'quantity'],
  },
  shed: {
    name: 'modelgate.overload.rejected',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests rejected because the process was overloaded: `loop_delay` or `memory`.',
    labels: ['excess'],
  },
  full: {
    name: 'modelgate.upstreams.full',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts above the concurrency limit of an upstream; another upstream might have served the request.',
    labels: ['upstream', 'model'],
  },
  turned: {
    name: 'modelgate.protocol.retries',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that a provider rejected over the protocol of the caller and accepted over the other one.',
    labels: ['upstream', 'model'],
  },
  drained: {
    name: 'modelgate.answers.drained',
    kind: 'counter',
    unit: '{answer}',
    description: 'Responses that were read to the end after the caller disconnected: `completed`, or `cut` at a limit or by a failure.',
    labels: ['upstream', 'end'],
  },
  breaker: {
    name: 'modelgate.breaker.state',
    kind: 'gauge',
    unit: '1',
    description: 'State of the circuit breaker of a model at an upstream (by its name there): 0 closed, 1 open, 0.5 half-open.',
    labels: ['upstream', 'model'],
  },
  streams: { name: 'modelgate.streams.open', kind: 'gauge', unit: '{stream}', description: 'Open streams to callers.', labels: [] },
  holds: {
    name: 'modelgate.holds.open',
    kind: 'gauge',
    unit: '{hold}',
    description: "Holds that aren't settled.",
    labels: [],
  },
  shared: {
    name: 'modelgate.limits.shared',
    kind: 'gauge',
    unit: '1',
    description:
      '1 while limits are counted in Redis or by the supervisor of workers, 0 while this process enforces its share; absent for a single process without Redis.',
    labels: [],
  },
  outbox: {
    name: 'modelgate.outbox.waiting',
    kind: 'gauge',
    unit: '{charge}',
    description: 'Charges in the outbox on this disk that are pending until the database accepts them.',
    labels: [],
  },
  loopDelay: {
    name: 'modelgate.event_loop.delay',
    kind: 'gauge',
    unit: 's',
    description: 'Delay of the event loop: how late recent timers fired.',
    labels: ['percentile'],
  },
  memory: { name: 'process.memory.usage', kind: 'gauge', unit: 'By', description: 'Resident memory of the process.', labels: [] },
  heap: { name: 'modelgate.heap.used', kind: 'gauge', unit: 'By', description: 'Used heap of the process.', labels: [] },
} as const satisfies Record<string, Instrument>;

/** Values in the order of an instrument's labels. Undefined omits the label. */
export type LabelValues = readonly (string | undefined)[];

/** Below the cardinality limit of the library, beyond which it would merge all labels into one overflow series. */
const MAX_SERIES = 1_500;
const OTHER = 'other';

/** Each set of labels is created once. */
class LabelSets<T> {
  readonly #instrument: Instrument;
  readonly #make: (attributes: Attributes) => T;
  readonly #made = new Map<string, T>();

  constructor(instrument: Instrument, make: (attributes: Attributes) => T) {
    this.#instrument = instrument;
    this.#make = make;
  }

  of(values: LabelValues): T {
    const key = values.join('\n');
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    if (this.#made.size >= MAX_SERIES && values[0] !== OTHER) return this.of(values.map(() => OTHER));
    const made = this.#make(attributesOf(this.#instrument, values));
    this.#made.set(key, made);
    return made;
  }

  all(): Iterable<T> {
    return this.#made.values();
  }
}

/** Sorted by name, as the library requires. */
function attributesOf({ labels }: Instrument, values: LabelValues): Attributes {
  const pairs = labels.flatMap((label, index) => (values[index] === undefined ? [] : [[label, values[index]] as const]));
  return Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Counts here, and gives the sum to the library when the metrics are collected. */
export class BufferedCounter {
  readonly #series: LabelSets<{ readonly attributes: Attributes; value: number }>;

  constructor(meter: Meter, instrument: Instrument) {
    this.#series = new LabelSets(instrument, (attributes) => ({ attributes, value: 0 }));
    const { name, unit, description } = instrument;
    meter.createObservableCounter(name, { unit, description }).addCallback((result) => {
      for (const { attributes, value } of this.#series.all()) result.observe(value, attributes);
    });
  }

  add(value: number, values: LabelValues): void {
    this.#series.of(values).value += value;
  }
}

/** Values in buckets, by the library. */
export class Buckets {
  readonly #labels: LabelSets<Attributes>;
  readonly #histogram;

  constructor(meter: Meter, instrument: Instrument) {
    const { name, unit, description, boundaries = [] } = instrument;
    this.#labels = new LabelSets(instrument, (attributes) => attributes);
    this.#histogram = meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...boundaries] } });
  }

  record(value: number, values: LabelValues): void {
    this.#histogram.record(value, this.#labels.of(values));
  }
}
