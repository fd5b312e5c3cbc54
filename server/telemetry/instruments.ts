/** Lists all metrics with name, unit, description, and labels. */

export interface Instrument {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** UCUM. Words in braces name the counted objects. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly boundaries?: readonly number[];
}

const genAiLabels = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'];

/** The buckets that the semantic conventions recommend. */
const secondBoundaries = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** Finer buckets for the gateway's own overhead, which is far below the response time of a model. */
const shortSecondBoundaries = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 5.12];

const tokenBoundaries = Array.from({ length: 14 }, (_, power) => 4 ** power);

export const instruments = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the arrival of a call to the end of its response, including retries, for calls that reached an upstream.',
    labels: [...genAiLabels, 'error.type'],
    boundaries: secondBoundaries,
  },
  firstChunk: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the arrival of a streamed call to its first event.',
    labels: genAiLabels,
    boundaries: secondBoundaries,
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens of a call, as reported by the upstream.',
    labels: [...genAiLabels, 'gen_ai.token.type'],
    boundaries: tokenBoundaries,
  },
  overhead: {
    name: 'modelgate.overhead.duration',
    kind: 'histogram',
    unit: 's',
    description: "Time of a call that wasn't spent on upstream attempts, until its response or the first event of its stream.",
    labels: ['route'],
    boundaries: shortSecondBoundaries,
  },
  requests: {
    name: 'modelgate.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Completed requests.',
    labels: ['route', 'status', 'code', 'model', 'upstream', 'outcome'],
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
    labels: ['reason'],
  },
  full: {
    name: 'modelgate.upstream.concurrency_limited',
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
    name: 'modelgate.responses.drained',
    kind: 'counter',
    unit: '{response}',
    description: 'Responses that were read to the end after the caller disconnected: `completed`, or `cut` at a limit or by a failure.',
    labels: ['upstream', 'outcome'],
  },
  breaker: {
    name: 'modelgate.breaker.state',
    kind: 'gauge',
    unit: '1',
    description: 'State of the circuit breaker of a model at an upstream (by its name there): 0 closed, 1 open, 0.5 half-open.',
    labels: ['upstream', 'model'],
  },
  streams: { name: 'modelgate.streams.open', kind: 'gauge', unit: '{stream}', description: 'Open streams to callers.', labels: [] },
  webSockets: {
    name: 'modelgate.websockets.open',
    kind: 'gauge',
    unit: '{connection}',
    description: 'Open WebSockets, including idle ones.',
    labels: [],
  },
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
