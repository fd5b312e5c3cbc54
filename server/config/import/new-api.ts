/** Converts channels and ratios of new-api to modelgate.yaml. Channels become upstreams and candidates, and ratios become exact prices. */
import {
  baseOf,
  type Fields,
  fieldsOf,
  type Imported,
  jsonOf,
  listOf,
  type Place,
  Remarks,
  readDecimal,
  textOf,
  times,
  Upstreams,
  variableOf,
  wholeOf,
  writeDecimal,
} from './write.ts';

/** Channel types of new-api by number: the upstream kind, the default base URL, and the path before the operation. */
const types: Readonly<Record<number, { readonly kind: Place['kind']; readonly base?: string; readonly path: string }>> = {
  1: { kind: 'openai', path: '/v1' },
  4: { kind: 'openai-compatible', base: 'http://127.0.0.1:11434', path: '/v1' },
  8: { kind: 'openai-compatible', path: '' },
  14: { kind: 'anthropic', path: '' },
  17: { kind: 'openai-compatible', base: 'https://dashscope.aliyuncs.com', path: '/compatible-mode/v1' },
  20: { kind: 'openai-compatible', base: 'https://openrouter.ai/api', path: '/v1' },
  24: { kind: 'gemini', path: '' },
  25: { kind: 'openai-compatible', base: 'https://api.moonshot.cn', path: '/v1' },
  26: { kind: 'openai-compatible', base: 'https://open.bigmodel.cn', path: '/api/paas/v4' },
  27: { kind: 'openai-compatible', base: 'https://api.perplexity.ai', path: '' },
  31: { kind: 'openai-compatible', base: 'https://api.lingyiwanwu.com', path: '/v1' },
  40: { kind: 'openai-compatible', base: 'https://api.siliconflow.cn', path: '/v1' },
  42: { kind: 'openai-compatible', base: 'https://api.mistral.ai', path: '/v1' },
  43: { kind: 'openai-compatible', base: 'https://api.deepseek.com', path: '/v1' },
  45: { kind: 'openai-compatible', base: 'https://ark.cn-beijing.volces.com', path: '/api/v3' },
  48: { kind: 'openai-compatible', base: 'https://api.x.ai', path: '/v1' },
};

interface Channel {
  readonly place: Place;
  readonly models: readonly string[];
  readonly mapping: Fields;
  readonly groups: readonly string[];
  /** Channels with a larger number are tried first. */
  readonly priority: number;
  readonly weight: number | undefined;
}

/** Accepts channels as a list or in `data`, `items`, or `channels`, and options in `options` as a map or a list of `{key, value}`. */
export function importNewApi(file: unknown): Imported {
  const remarks = new Remarks();
  const root = fieldsOf(file);
  const found = [file, root.channels, root.items, root.data, fieldsOf(root.data).items].find(Array.isArray);
  const channels = listOf(found).flatMap((one, index) => channelOf(fieldsOf(one), index, remarks) ?? []);
  if (channels.length === 0) remarks.add('channels', 'contain no channel that can be imported');
  const upstreams = new Upstreams();
  const ratios = ratiosIn(root);
  const groups = groupsOf(ratios, channels, remarks);
  const names = [...new Set(channels.flatMap(({ models }) => models))];
  const models = names.map((id) => modelOf(id, channels, { upstreams, ratios, remarks, groups: Object.keys(groups) }));
  const unpriced = models.filter((model) => !('prices' in model)).map(({ id }) => String(id));
  if (unpriced.length > 0)
    remarks.add(
      'billing',
      `is 'off' because the file has no ratios for ${unpriced.join(', ')}. To charge for calls, add their prices and remove 'billing'`,
    );
  const settings = {
    ...(unpriced.length > 0 && { billing: 'off' }),
    ...(Object.keys(groups).length > 0 && { groups }),
    upstreams: upstreams.settings,
    models,
  };
  return { settings, remarks: remarks.list };
}

function channelOf(channel: Fields, index: number, remarks: Remarks): Channel | null {
  const name = textOf(channel.name) ?? `channel ${index + 1}`;
  const where = `channels[${index}] '${name}'`;
  const type = types[Number(channel.type)];
  const skip = (message: string): null => {
    remarks.add(where, `omitted, because it ${message}`);
    return null;
  };
  if (!type) return skip(`has the type ${String(channel.type)}, which isn't supported by Modelgate`);
  if (channel.status !== undefined && Number(channel.status) !== 1) return skip('is disabled');
  const models = (textOf(channel.models) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (models.length === 0) return skip('has no models');
  const given = baseOf(textOf(channel.base_url), `${where}.base_url`, remarks);
  const isOfficial = given === undefined && type.base === undefined;
  if (isOfficial && type.kind === 'openai-compatible') return skip('has no base_url');
  const base = given ?? type.base;
  const place: Place = {
    provider: name,
    kind: type.kind,
    baseUrl: base === undefined ? undefined : `${base.replace(/\/v1$/, type.path === '/v1' ? '' : '/v1')}${type.path}`,
    keys: keysOf(channel, { name, where, remarks }),
  };
  for (const field of ['param_override', 'header_override', 'status_code_mapping', 'setting', 'settings', 'auto_ban'])
    if (!isEmpty(channel[field])) remarks.add(`${where}.${field}`, "isn't supported by Modelgate");
  const groups = (textOf(channel.group) ?? 'default').split(',').map((one) => one.trim());
  const priority = typeof channel.priority === 'number' ? channel.priority : 0;
  return { place, models, mapping: mappingOf(channel.model_mapping), groups, priority, weight: wholeOf(channel.weight) };
}

const isEmpty = (value: unknown): boolean => [undefined, null, '', '{}', 0, 1, false].includes(value as string);

const mappingOf = (value: unknown): Fields => fieldsOf(jsonOf(value));

interface Named {
  readonly name: string;
  readonly where: string;
  readonly remarks: Remarks;
}

/** The file contains keys, one per line, which are never copied. */
function keysOf({ key }: Fields, { name, where, remarks }: Named): readonly string[] {
  const count = Math.min((textOf(key) ?? '').split('\n').filter((line) => line.trim() !== '').length, 100);
  const variable = variableOf(name, 'API_KEY');
  const variables = count <= 1 ? [variable] : Array.from({ length: count }, (_, index) => `${variable}_${index + 1}`);
  remarks.add(
    `${where}.key`,
    `wasn't copied. Set the environment ${variables.length === 1 ? 'variable' : 'variables'} ${variables.join(', ')}`,
  );
  return variables;
}

interface Parts {
  readonly upstreams: Upstreams;
  readonly ratios: Ratios;
  readonly remarks: Remarks;
  readonly groups: readonly string[];
}

function modelOf(id: string, channels: readonly Channel[], { upstreams, ratios, remarks, groups }: Parts): Fields {
  const own = channels.filter(({ models }) => models.includes(id));
  const ranks = [...new Set(own.map(({ priority }) => priority))].sort((one, other) => other - one);
  const candidates = own.map(({ place, mapping, priority, weight }): Fields => {
    const there = textOf(mapping[id]);
    const rank = ranks.indexOf(priority) + 1;
    return {
      upstream: upstreams.nameOf(place),
      ...(there !== undefined && there !== id && { upstreamModel: there }),
      ...(rank > 1 && { priority: rank }),
      ...(weight !== undefined && { weight }),
    };
  });
  const allowed = [...new Set(own.flatMap((one) => one.groups))].filter(
    (name) => groups.includes(name) || name === 'default' || name === 'vip',
  );
  const isImage = /^(?:dall-e|gpt-image|chatgpt-image)/.test(id);
  const prices = pricesOf(id, { ratios, isImage, remarks });
  return {
    id,
    kind: isImage ? 'image' : 'text',
    candidates,
    ...(allowed.length > 0 && !allowed.includes('default') && { groups: allowed }),
    ...(prices && { prices }),
  };
}

/** Returns the groups that have a ratio or a channel. */
function groupsOf({ group }: Ratios, channels: readonly Channel[], remarks: Remarks): Record<string, Fields> {
  const names = new Set([...Object.keys(group), ...channels.flatMap(({ groups }) => groups)]);
  const groups: Record<string, Fields> = {};
  for (const name of names) {
    const ratio = group[name] === undefined ? undefined : readDecimal(group[name]);
    const multiplier = ratio && writeDecimal(ratio);
    if (group[name] !== undefined && multiplier === undefined)
      remarks.add(`GroupRatio.${name}`, "isn't a number with at most six decimal places");
    if (name !== 'default' || (multiplier !== undefined && multiplier !== '1'))
      groups[name] = { ...(multiplier !== undefined && { multiplier }) };
  }
  return groups;
}

interface Ratios {
  readonly model: Fields;
  readonly completion: Fields;
  readonly cache: Fields;
  readonly createCache: Fields;
  readonly group: Fields;
  /** Dollars per call. */
  readonly price: Fields;
}

/** Reads options from a map, or from the list of `{key, value}` that new-api returns. Each value is JSON or a string of JSON. */
function ratiosIn(root: Fields): Ratios {
  const given: unknown = root.options;
  const listed = Array.isArray(given)
    ? Object.fromEntries(given.map(fieldsOf).map(({ key, value }) => [String(key), value]))
    : fieldsOf(given);
  const option = (name: string): Fields => fieldsOf(jsonOf(listed[name] ?? root[name]));
  return {
    model: option('ModelRatio'),
    completion: option('CompletionRatio'),
    cache: option('CacheRatio'),
    createCache: option('CreateCacheRatio'),
    group: option('GroupRatio'),
    price: option('ModelPrice'),
  };
}

const DOLLARS = { digits: 2n, places: 0 };

interface Asked {
  readonly ratios: Ratios;
  readonly isImage: boolean;
  readonly remarks: Remarks;
}

/** Returns undefined if the file lacks a ratio. new-api has built-in ratios, which aren't guessed here. */
function pricesOf(id: string, { ratios, isImage, remarks }: Asked): Fields | undefined {
  const call = Object.hasOwn(ratios.price, id) ? readDecimal(ratios.price[id]) : undefined;
  if (call) {
    const dollars = writeDecimal(call);
    if (isImage && dollars !== undefined) return { images: { default: dollars } };
    remarks.add(`ModelPrice.${id}`, "is a price per call, which isn't supported for text models");
    return undefined;
  }
  const [ratio, completion] = [ratios.model[id], ratios.completion[id]].map(readDecimal);
  if (!ratio || isImage) return undefined;
  if (!completion) {
    remarks.add(`CompletionRatio.${id}`, 'is missing, so the price of output tokens is unknown');
    return undefined;
  }
  const input = times(ratio, DOLLARS);
  const wanted = {
    input,
    output: times(input, completion),
    cachedInput: part(input, ratios.cache[id]),
    cacheWrite: part(input, ratios.createCache[id]),
  };
  const prices: Record<string, string> = {};
  for (const [name, price] of Object.entries(wanted)) {
    const written = price && writeDecimal(price);
    if (written !== undefined) prices[name] = written;
    else if (price) remarks.add(`${id}.${name}`, 'needs more than six decimal places in dollars per million tokens');
  }
  return 'input' in prices && 'output' in prices ? prices : undefined;
}

function part(input: Parameters<typeof times>[0], ratio: unknown): Parameters<typeof times>[0] | undefined {
  const found = readDecimal(ratio);
  return found && times(input, found);
}
