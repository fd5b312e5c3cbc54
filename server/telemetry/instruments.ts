/** Every metric of the gateway: its name, what it counts, and its labels; the guide for observers lists these and no others. */

export interface Instrument {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** UCUM; words in braces are what is counted. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly boundaries?: readonly number[];
}

const genAi = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'];
/** Those that the semantic conventions recommend. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
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
    description: 'Attempts at upstreams; more than one a request where a first one failed.',
    labels: ['upstream', 'model', 'status', 'code'],
  },
  cost: {
    name: 'modelgate.cost',
    kind: 'counter',
    unit: '{microdollar}',
    description: 'What calls were charged, in millionths of a dollar.',
    labels: ['model', 'upstream'],
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
    description: 'Requests that were refused since the process had too much to do: `loop_delay` or `memory`.',
    labels: ['excess'],
  },
  full: {
    name: 'modelgate.upstreams.full',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Attempts that an upstream had no room for; another one may have served the request.',
    labels: ['upstream', 'model'],
  },
  heardOut: {
    name: 'modelgate.answers.heard_out',
    kind: 'counter',
    unit: '{answer}',
    description: 'Answers that were heard out for callers who had left, `completed` or `cut` at a bound or a fault.',
    labels: ['upstream', 'end'],
  },
  breaker: {
    name: 'modelgate.breaker.state',
    kind: 'gauge',
    unit: '1',
    description: '0 where an upstream is asked for a model (by its name there), 1 where calls are kept away, 0.5 while one call tries it.',
    labels: ['upstream', 'model'],
  },
  streams: { name: 'modelgate.streams.open', kind: 'gauge', unit: '{stream}', description: 'Streams that callers read now.', labels: [] },
  holds: {
    name: 'modelgate.holds.open',
    kind: 'gauge',
    unit: '{hold}',
    description: 'Reservations of money that have not ended.',
    labels: [],
  },
  shared: {
    name: 'modelgate.limits.shared',
    kind: 'gauge',
    unit: '1',
    description: '1 where limits are counted in Redis, 0 while this process enforces its share; none without Redis.',
    labels: [],
  },
  spool: {
    name: 'modelgate.spool.waiting',
    kind: 'gauge',
    unit: '{charge}',
    description: 'Charges that wait on this disk for the database.',
    labels: [],
  },
  loopDelay: {
    name: 'modelgate.event_loop.delay',
    kind: 'gauge',
    unit: 's',
    description: 'How late timers of the process came lately.',
    labels: ['quantile'],
  },
  memory: { name: 'process.memory.usage', kind: 'gauge', unit: 'By', description: 'Memory of the process that is resident.', labels: [] },
  heap: { name: 'modelgate.heap.used', kind: 'gauge', unit: 'By', description: 'Memory that the objects of the process take.', labels: [] },
} as const satisfies Record<string, Instrument>;
