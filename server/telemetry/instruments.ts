/** Every metric of the gateway: its name, meaning and labels; `docs/guides/observing.md` lists the same. */

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
    description: 'Time from the arrival of a call to the end of its answer, retries included; only calls that reached an upstream.',
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
    description: 'Tokens of a call, as the upstream counted them.',
    labels: [...genAi, 'gen_ai.token.type'],
    boundaries: tokens,
  },
  overhead: {
    name: 'modelgate.overhead.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time of a call that was not spent on attempts at upstreams, until its answer or the first event of its stream.',
    labels: ['route'],
    boundaries: shortSeconds,
  },
  requests: {
    name: 'modelgate.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that have ended.',
    labels: ['route', 'status', 'code', 'model', 'upstream', 'end'],
  },
  attempts: {
    name: 'modelgate.attempts',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts at upstreams; more than one per request after a failure.',
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
    description: 'Charges of calls by the id of the account, in millionths of a dollar; only with `metrics.accounts`.',
    labels: ['account'],
  },
  refused: {
    name: 'modelgate.limits.refused',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that a limit refused.',
    labels: ['scope', 'quantity'],
  },
  shed: {
    name: 'modelgate.overload.refused',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that were refused because the process was overloaded: `loop_delay` or `memory`.',
    labels: ['excess'],
  },
  full: {
    name: 'modelgate.upstreams.full',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts beyond the concurrency limit of an upstream; another one may have served the request.',
    labels: ['upstream', 'model'],
  },
  drained: {
    name: 'modelgate.answers.drained',
    kind: 'counter',
    unit: '{answer}',
    description: 'Answers that were read to the end after the caller disconnected: `completed`, or `cut` at a limit or by a failure.',
    labels: ['upstream', 'end'],
  },
  breaker: {
    name: 'modelgate.breaker.state',
    kind: 'gauge',
    unit: '1',
    description: 'State of the circuit breaker for a model at an upstream (by its name there): 0 closed, 1 open, 0.5 half-open.',
    labels: ['upstream', 'model'],
  },
  streams: { name: 'modelgate.streams.open', kind: 'gauge', unit: '{stream}', description: 'Open streams to callers.', labels: [] },
  holds: {
    name: 'modelgate.holds.open',
    kind: 'gauge',
    unit: '{hold}',
    description: 'Holds that are not settled.',
    labels: [],
  },
  shared: {
    name: 'modelgate.limits.shared',
    kind: 'gauge',
    unit: '1',
    description:
      '1 when limits are counted in Redis or by the supervisor of workers, 0 while this process enforces its share; absent for a single process without Redis.',
    labels: [],
  },
  outbox: {
    name: 'modelgate.outbox.waiting',
    kind: 'gauge',
    unit: '{charge}',
    description: 'Charges in the outbox on this disk that wait for the database.',
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
