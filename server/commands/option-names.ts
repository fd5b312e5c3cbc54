/** Maps fields of the operators' API to options of the command line, for error messages. */

const names: Readonly<Record<string, string>> = {
  'permissions.operations': '--operations',
  'permissions.models': '--models',
  'permissions.may_store': '--may-store',
  'permissions.manage_keys': '--manage-keys',
  'self_service.max_keys': '--made-keys',
  'self_service.delegate': '--delegate',
  ip_ranges: '--from',
  spending_cap: '--cap',
  expires_at: '--expires',
  overlap_seconds: '--overlap',
  'limits.requests_per_minute': '--requests-per-minute',
  'limits.tokens_per_minute': '--tokens-per-minute',
  'limits.concurrency': '--concurrency',
  opening_balance: '--opening-balance',
  transfer_id: '--transfer-id',
  note: '--note',
  kind: '--kind',
  amount: '<dollars>',
  plan: '<plan>',
  starts_at: '--starts',
  ends_at: '--ends',
  price_list: '--list',
  'prices.input': '--input',
  'prices.cached_input': '--cached-input',
  'prices.cache_write': '--cache-write',
  'prices.output': '--output',
  'prices.tools': '--tool',
  'prices.images': '--picture',
  group: '--group',
  operation: '--operation',
  limit: '--limit',
  after: '--after',
};

/** The message with the option instead of the field. */
export function inOptions(message: string, param: string | null): string {
  const field = Object.keys(names).find((name) => param === name || /^[.[]/.test(param?.startsWith(name) ? param.slice(name.length) : ''));
  const option = names[field ?? ''];
  if (option === undefined || param === null) return message;
  const quoted = `'${param}'`;
  return message.includes(quoted) ? message.replaceAll(quoted, option) : `${option}: ${message}`;
}
