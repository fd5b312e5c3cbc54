/** Describes a configuration as text: listeners, upstreams, models with prices and limits. */
import { type Config, describeLimitCounter, type UpstreamConfig } from '../../config/config.ts';
import { formatRows, formatTable } from './print-result.ts';

export function describeConfig(config: Config): string {
  const { upstreams, models, plans, priceLists, groups } = config;
  const priceListRows = Object.entries(priceLists).flatMap(([list, byModel]) =>
    Object.entries(byModel).map(([model, prices]) => [list, model, formatPrice(prices)]),
  );
  const planRows = Object.entries(plans).map(([name, plan]) => [name, plan.included, plan.period, plan.onExhaustion, plan.priceList]);
  const tables: readonly (readonly [string[], string[][]])[] = [
    [
      ['UPSTREAM', 'KIND', 'ADDRESS', 'KEY', 'PROTOCOLS'],
      Object.values(upstreams).map((upstream) => [upstream.name, upstream.kind, ...describeUpstream(upstream)]),
    ],
    [['MODEL', 'KIND', 'SERVED BY', 'PROTOCOLS'], models.flatMap(toModelRows)],
    [
      ['MODEL', 'FOR GROUPS', 'DOLLARS', 'LIMITS'],
      models.map(({ id, groups: own, prices, limits }) => [id, own.join(', '), formatPrice(prices), formatLimits(limits)]),
    ],
    [
      ['GROUP', 'MULTIPLIER', 'LIMITS FOR ALL ACCOUNTS TOGETHER'],
      Object.entries(groups).map(([name, { multiplier, limits }]) => [name, multiplier, formatLimits(limits)]),
    ],
    [['PLAN', 'INCLUDED', 'PERIOD', 'THEN', 'PRICE LIST'], planRows],
    [['PRICE LIST', 'MODEL', 'DOLLARS'], priceListRows],
  ];
  const tableTexts = tables.flatMap(([headings, rows]) => (rows.length === 0 ? [] : [formatTable(headings, rows)]));
  return [`The configuration is valid.\n${formatRows(listSettings(config))}`, ...tableTexts].join('\n');
}

function listSettings(config: Config): [string, string][] {
  const { server, admin, metrics, database, redis, durability, log, validateResponses, billing, limits } = config;
  return [
    ['Configuration', config.file ?? 'environment and defaults; no file'],
    ['Listens on', formatListener(server)],
    ['Admin API', admin.enabled ? formatListener(admin) : 'off'],
    ['Metrics', metrics.enabled ? formatListener(metrics) : 'off'],
    ['Data', `${config.data} (${durability})`],
    ['Accounts', database.url === undefined ? 'in the data folder' : `on PostgreSQL${formatHost(database.url)}`],
    ['Limits', redis.url === undefined ? `counted in ${describeLimitCounter(server)}` : `counted in Redis${formatHost(redis.url)}`],
    ['Each key', formatLimits(limits.perKey)],
    ['Each account', formatLimits(limits.perAccount)],
    ['Billing', billing],
    ['Log', `${log.level}${validateResponses ? '; responses are checked against the contract' : ''}`],
  ];
}

const formatListener = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}, port ${port === 0 ? 'any free' : port}`;

/** Returns only the host. Returns nothing if an unencoded slash in a password may have moved part of the password there. */
function formatHost(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname, search, hash } = new URL(url);
  return host === '' || `${pathname}${search}${hash}`.includes('@') ? '' : ` at ${host}`;
}

function describeUpstream(upstream: UpstreamConfig): [string, string, string] {
  const protocols = upstream.protocols.join(', ');
  if (upstream.kind === 'simulator') return ['built in, without a real model', 'none', protocols];
  return [upstream.baseUrl, formatCredential(upstream), protocols];
}

/** Shows how the upstream authenticates, never the credential. */
function formatCredential({ auth, apiKey, apiKeys }: Exclude<UpstreamConfig, { kind: 'simulator' }>): string {
  if (apiKey !== undefined || apiKeys !== undefined) return 'set';
  return auth?.type ?? 'none';
}

type Model = Config['models'][number];

/** Returns one row per candidate. Only the first row names the model. */
function toModelRows({ id, kind, candidates }: Model): string[][] {
  const isOnlyCandidate = candidates.length === 1;
  return candidates.map(({ upstream, upstreamModel, protocols, priority, weight }, index) => [
    ...(index === 0 ? [id, kind] : ['', '']),
    `${upstream}: ${upstreamModel}${isOnlyCandidate ? '' : ` (priority ${priority}, weight ${weight})`}`,
    protocols.join(', '),
  ]);
}

/** Formats dollars per million tokens, per image, or per tool call. */
function formatPrice(prices: Model['prices']): string {
  if (prices === undefined) return '-';
  if (prices === 'free') return prices;
  if ('images' in prices) return formatRates(prices.images);
  const { tools = {}, longContext = {}, serviceTiers = {}, ...tokens } = prices;
  const longContextTexts = Object.entries(longContext).map(([above, rates]) => `above ${above} tokens: ${formatRates(rates)}`);
  const tierTexts = Object.entries(serviceTiers).map(([tier, factor]) => `${tier} x${factor}`);
  return [formatRates({ ...tokens, ...tools }), ...longContextTexts, ...tierTexts].join(', ');
}

const formatRates = (rates: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(rates)
    .flatMap(([name, rate]) => (rate === undefined ? [] : [`${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} ${rate}`]))
    .join(', ');

function formatLimits({ requestsPerMinute, tokensPerMinute, concurrency }: Model['limits']): string {
  const lines = [
    formatLimit(requestsPerMinute, 'requests per minute'),
    formatLimit(tokensPerMinute, 'tokens per minute'),
    formatLimit(concurrency, 'at once'),
  ];
  return lines.filter((one) => one !== undefined).join(', ') || 'none';
}

function formatLimit(limit: Model['limits']['concurrency'], unit: string): string | undefined {
  const { limit: maximum, mode = 'enforce' } = typeof limit === 'object' ? limit : { limit };
  if (maximum === undefined || mode === 'off') return undefined;
  return `${maximum} ${unit}${mode === 'observe' ? ' (observed only)' : ''}`;
}
