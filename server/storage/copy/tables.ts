/** Every table that is copied, in the order in which the tables can be filled, with the types of its columns (promises G1 to G4: nothing is left out). */

export type Kind = 'text' | 'integer' | 'bytes' | 'flag';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface Table {
  readonly name: string;
  /** The primary key: rows are read in its order. */
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  /** The column that the database numbers by itself. */
  readonly counter: string | null;
}

type Names = Partial<Record<Kind, string>>;

function table(name: string, key: string, names: Names, counter: string | null = null): Table {
  const columnsOf = (kind: Kind): Column[] => (names[kind]?.split(' ') ?? []).map((column) => ({ name: column, kind }));
  return {
    name,
    key: key.split(' '),
    columns: [...columnsOf('text'), ...columnsOf('integer'), ...columnsOf('bytes'), ...columnsOf('flag')],
    counter,
  };
}

/** The order of rows with the same time: a column on PostgreSQL, the rowid on SQLite. */
export const ORDER_COLUMN = 'place';

const SUMS = 'requests errors refused input cached_input cache_write output images charged';
const histogram = (letter: string): string => Array.from({ length: 24 }, (_, index) => `${letter}${index}`).join(' ');

/** Identifies the pepper of the keys: the gateways on the copy need the same pepper. */
export const PEPPER_TABLE = 'pepper_fingerprint';

/** Tables that others refer to come first. */
export const tables: readonly Table[] = [
  table(
    'accounts',
    'id',
    { text: 'id name group_name limits self_service', integer: `created_at suspended_at ${ORDER_COLUMN}` },
    ORDER_COLUMN,
  ),
  table('balances', 'account_id', { text: 'account_id', integer: 'balance held' }),
  table('subscriptions', 'id', {
    text: 'id account_id plan period on_exhaustion price_list',
    integer: 'included starts_at ends_at cancelled_at',
  }),
  table('allowances', 'owner period_start', { text: 'owner', integer: 'period_start used held' }),
  table('price_versions', 'version', { text: 'price_list model source prices', integer: 'version created_at' }, 'version'),
  table('charges', 'request_id', {
    text: 'request_id account_id key_id model operation state node source cap_owner usage outcome',
    integer: 'price_version multiplier source_period cap_period held charged overrun created_at settled_at',
    flag: 'estimated',
  }),
  table('attempts', 'request_id', { text: 'request_id attempts' }),
  table('entries', 'id', { text: 'transfer kind book note', integer: 'id amount created_at' }, 'id'),
  table('responses', 'account_id id', { text: 'account_id id previous_id upstream input response', integer: 'created_at' }),
  table('response_items', 'account_id id', { text: 'account_id id response_id item' }),
  table('response_outlines', 'account_id response_id', { text: 'account_id response_id outline', integer: 'output_at output_bytes' }),
  table('idempotency', 'account_id idempotency_key', {
    text: 'account_id idempotency_key fingerprint request_id node content_type',
    integer: 'created_at',
    bytes: 'answer',
  }),
  table(
    'requests',
    'id',
    {
      text: 'request_id account_id key_id model operation upstream code outcome details',
      integer:
        'id ended_at status is_stream attempts first_ms total_ms input cached_input cache_write output images charged repeats vendor_cost',
    },
    'id',
  ),
  table('activity_hours', 'hour model upstream operation code', {
    text: 'model upstream operation code',
    integer: `hour ${SUMS} ${histogram('f')} ${histogram('t')} vendor_cost costed costed_charged`,
  }),
  table('activity_days', 'day model upstream operation code', {
    text: 'model upstream operation code',
    integer: `day ${SUMS} ${histogram('f')} ${histogram('t')} vendor_cost costed costed_charged`,
  }),
  table('account_days', 'day account_id model', { text: 'account_id model', integer: `day ${SUMS}` }),
  table('key_hours', 'hour account_id key_id model', { text: 'account_id key_id model', integer: `hour ${SUMS}` }),
  table('key_days', 'account_id day key_id model', { text: 'account_id key_id model', integer: `day ${SUMS}` }),
  table('activity_checks', 'hour', { integer: 'hour first_entry booked summed' }),
  table('alerts', 'id', { text: 'id kind subject name message value threshold', integer: 'opened_at resolved_at' }),
  table('alert_deliveries', 'alert_id webhook event', {
    text: 'alert_id webhook event body state failure',
    integer: 'attempts status created_at attempted_at next_at',
  }),
  table('audit', 'id', { text: 'actor action target details', integer: 'id created_at' }, 'id'),
  table('admin_keys', 'id', { text: 'id name role', integer: 'created_at revoked_at', bytes: 'hash' }),
  table(PEPPER_TABLE, 'id', { integer: 'id', bytes: 'fingerprint' }),
  // Last, so that a gateway that starts too early on an unfinished copy accepts no key.
  table(
    'keys',
    'id',
    {
      text: 'id account_id name last_four permissions ip_ranges limits cap_period replaced_by cap_owner made_by',
      integer: `created_at expires_at revoked_at cap_micros ${ORDER_COLUMN}`,
      bytes: 'hash',
    },
    ORDER_COLUMN,
  ),
];

/** Tables that are not copied, because they describe one database and its processes; each with its reason. */
export const notCopied: Readonly<Record<string, string>> = {
  migrations: 'each database is brought forward by itself',
  kept_bytes: 'counted from the responses by the target itself',
  nodes: 'the processes of the source are not those of the target',
  alert_sightings: 'what processes of the source saw in the last minutes',
  alert_turns: 'the processes of the target take their own turns',
  sessions: 'people sign in again; the links of a first start are over within minutes',
  refusals: 'moved to the request log; programs of the version before may still write a few',
  barred_requests: 'reservations that were on their way when a process gave them up; none is when no gateway runs',
};
