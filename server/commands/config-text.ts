/** A configuration as text for people, without secrets. */
import { type Config, limitCounter, type UpstreamConfig } from '../config/config.ts';
import { describe } from './administration.ts';
import { formatTable } from './table.ts';

export function describeConfig(config: Config): string {
  const { upstreams, models, plans, priceLists, groups } = config;
  const lists = Object.entries(priceLists).flatMap(([list, byModel]) =>
    Object.entries(byModel).map(([model, prices]) => [list, model, priceText(prices)]),
  );
  const sold = Object.entries(plans).map(([name, plan]) => [name, plan.included, plan.period, plan.onExhaustion, plan.priceList]);
  const tables: readonly (readonly [string[], string[][]])[] = [
    [
      ['UPSTREAM', 'KIND', 'ADDRESS', 'KEY', 'PROTOCOLS'],
      Object.values(upstreams).map((upstream) => [upstream.name, upstream.kind, ...describeUpstream(upstream)]),
    ],
    [['MODEL', 'KIND', 'SERVED BY', 'PROTOCOLS'], models.flatMap(servedRows)],
    [
      ['MODEL', 'FOR GROUPS', 'DOLLARS', 'LIMITS'],
      models.map(({ id, groups: own, prices, limits }) => [id, own.join(', '), priceText(prices), limitsText(limits)]),
    ],
    [
      ['GROUP', 'MULTIPLIER', 'LIMITS OF ALL ITS ACCOUNTS TOGETHER'],
      Object.entries(groups).map(([name, { multiplier, limits }]) => [name, multiplier, limitsText(limits)]),
    ],
    [['PLAN', 'INCLUDED', 'PERIOD', 'THEN', 'PRICE LIST'], sold],
    [['PRICE LIST', 'MODEL', 'DOLLARS'], lists],
  ];
  const filled = tables.flatMap(([headings, rows]) => (rows.length === 0 ? [] : [formatTable(headings, rows)]));
  return [`The configuration is fine.\n${describe(settingsOf(config))}`, ...filled].join('\n');
}

function settingsOf(config: Config): [string, string][] {
  const { server, admin, metrics, database, redis, durability, log, development, billing, limits } = config;
  return [
    ['Configuration', config.file ?? 'environment and defaults, no file'],
    ['Listens on', listenerText(server)],
    ['Admin API', admin.enabled ? listenerText(admin) : 'off'],
    ['Metrics', metrics.enabled ? listenerText(metrics) : 'off'],
    ['Data', `${config.data} (${durability})`],
    ['Accounts', database.url === undefined ? 'in the data folder' : `on PostgreSQL${hostText(database.url)}`],
    ['Limits', redis.url === undefined ? `counted in ${limitCounter(server)}` : `counted in Redis${hostText(redis.url)}`],
    ['Each key', limitsText(limits.perKey)],
    ['Each account', limitsText(limits.perAccount)],
    ['Billing', billing],
    ['Log', `${log.level}${development ? '; development: answers are checked against the contract' : ''}`],
  ];
}

const listenerText = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}, port ${port === 0 ? 'any free' : port}`;

/** The host only. An unencoded slash in a password would put parts of the password before and after the host. */
function hostText(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname, search, hash } = new URL(url);
  return host === '' || `${pathname}${search}${hash}`.includes('@') ? '' : ` at ${host}`;
}

function describeUpstream(upstream: UpstreamConfig): [string, string, string] {
  const served = upstream.protocols.join(', ');
  if (upstream.kind === 'simulator') return ['built in, no model behind it', 'none', served];
  return [upstream.baseUrl, credentialText(upstream), served];
}

/** How it authenticates, never with what. */
function credentialText({ auth, apiKey, apiKeys }: Exclude<UpstreamConfig, { kind: 'simulator' }>): string {
  if (apiKey !== undefined || apiKeys !== undefined) return 'set';
  return auth?.type ?? 'none';
}

type Model = Config['models'][number];

/** The first candidate, and below it the others. */
function servedRows({ id, kind, candidates }: Model): string[][] {
  const isAlone = candidates.length === 1;
  return candidates.map(({ upstream, upstreamModel, protocols, priority, weight }, index) => [
    ...(index === 0 ? [id, kind] : ['', '']),
    `${upstream}: ${upstreamModel}${isAlone ? '' : ` (priority ${priority}, weight ${weight})`}`,
    protocols.join(', '),
  ]);
}

/** Per million tokens, per image, or per call of a tool. */
function priceText(prices: Model['prices']): string {
  if (prices === undefined) return '-';
  if (prices === 'free') return prices;
  if ('images' in prices) return ratesText(prices.images);
  const { tools = {}, ...tokens } = prices;
  return ratesText({ ...tokens, ...tools });
}

const ratesText = (rates: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(rates)
    .flatMap(([name, rate]) => (rate === undefined ? [] : [`${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} ${rate}`]))
    .join(', ');

function limitsText({ requestsPerMinute, tokensPerMinute, concurrency }: Model['limits']): string {
  const said = [
    limitText(requestsPerMinute, 'requests a minute'),
    limitText(tokensPerMinute, 'tokens a minute'),
    limitText(concurrency, 'at once'),
  ];
  return said.filter((one) => one !== undefined).join(', ') || 'none';
}

function limitText(limit: Model['limits']['concurrency'], words: string): string | undefined {
  const { limit: most, mode = 'enforce' } = typeof limit === 'object' ? limit : { limit };
  if (most === undefined || mode === 'off') return undefined;
  return `${most} ${words}${mode === 'observe' ? ' (observed only)' : ''}`;
}
