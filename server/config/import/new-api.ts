/** Converts channels and ratios of new-api to modelgate.yaml. Channels become upstreams and candidates, and ratios become exact prices. */

import { formatDecimal, multiply, parseDecimal } from './decimal.ts';
import { type Fields, parseJson, toFields, toList, toPositiveInteger, toText } from './fields.ts';
import { type ImportedUpstream, ImportedUpstreams, toBaseUrl, toVariableName } from './imported-upstreams.ts';
import { type Imported, Remarks } from './remarks.ts';

/** Channel types of new-api by number: the upstream kind, the default base URL, and the path before the operation. */
const channelTypes: Readonly<Record<number, { readonly kind: ImportedUpstream['kind']; readonly base?: string; readonly path: string }>> = {
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
  readonly place: ImportedUpstream;
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
  const root = toFields(file);
  const channelList = [file, root.channels, root.items, root.data, toFields(root.data).items].find(Array.isArray);
  const channels = toList(channelList).flatMap((one, index) => toChannel(toFields(one), index, remarks) ?? []);
  if (channels.length === 0) remarks.add('channels', 'contain no channel that can be imported');
  const upstreams = new ImportedUpstreams();
  const ratios = readRatios(root);
  const groups = toGroups(ratios, channels, remarks);
  const names = [...new Set(channels.flatMap(({ models }) => models))];
  const models = names.map((id) => toModel(id, channels, { upstreams, ratios, remarks, groups: Object.keys(groups) }));
  const settings = {
    ...remarks.turnOffBilling(models, 'ratios'),
    ...(Object.keys(groups).length > 0 && { groups }),
    upstreams: upstreams.settings,
    models,
  };
  return { settings, remarks: remarks.list };
}

function toChannel(channel: Fields, index: number, remarks: Remarks): Channel | null {
  const name = toText(channel.name) ?? `channel ${index + 1}`;
  const where = `channels[${index}] '${name}'`;
  const type = channelTypes[Number(channel.type)];
  const skipChannel = (message: string): null => {
    remarks.add(where, `omitted, because it ${message}`);
    return null;
  };
  if (!type) return skipChannel(`has the type ${String(channel.type)}, which isn't supported by Modelgate`);
  if (channel.status !== undefined && Number(channel.status) !== 1) return skipChannel('is disabled');
  const models = (toText(channel.models) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (models.length === 0) return skipChannel('has no models');
  const configuredUrl = toBaseUrl(toText(channel.base_url), `${where}.base_url`, remarks);
  const isOfficial = configuredUrl === undefined && type.base === undefined;
  if (isOfficial && type.kind === 'openai-compatible') return skipChannel('has no base_url');
  const base = configuredUrl ?? type.base;
  const upstream: ImportedUpstream = {
    provider: name,
    kind: type.kind,
    baseUrl: base === undefined ? undefined : `${base.replace(/\/v1$/, type.path === '/v1' ? '' : '/v1')}${type.path}`,
    keys: listKeyVariables(channel, name, where, remarks),
  };
  for (const field of ['param_override', 'header_override', 'status_code_mapping', 'setting', 'settings', 'auto_ban'])
    if (!isEmpty(channel[field])) remarks.add(`${where}.${field}`, "isn't supported by Modelgate");
  const groups = (toText(channel.group) ?? 'default').split(',').map((one) => one.trim());
  const priority = typeof channel.priority === 'number' ? channel.priority : 0;
  return {
    place: upstream,
    models,
    mapping: readMapping(channel.model_mapping),
    groups,
    priority,
    weight: toPositiveInteger(channel.weight),
  };
}

const isEmpty = (value: unknown): boolean => [undefined, null, '', '{}', 0, 1, false].includes(value as string);

const readMapping = (value: unknown): Fields => toFields(parseJson(value));

/** The file contains keys, one per line, which are never copied. */
function listKeyVariables({ key }: Fields, name: string, where: string, remarks: Remarks): readonly string[] {
  const count = Math.min((toText(key) ?? '').split('\n').filter((line) => line.trim() !== '').length, 100);
  const variable = toVariableName(name, 'API_KEY');
  const variables = count <= 1 ? [variable] : Array.from({ length: count }, (_, index) => `${variable}_${index + 1}`);
  remarks.add(
    `${where}.key`,
    `wasn't copied. Set the environment ${variables.length === 1 ? 'variable' : 'variables'} ${variables.join(', ')}`,
  );
  return variables;
}

interface ImportContext {
  readonly upstreams: ImportedUpstreams;
  readonly ratios: Ratios;
  readonly remarks: Remarks;
  readonly groups: readonly string[];
}

function toModel(id: string, channels: readonly Channel[], { upstreams, ratios, remarks, groups }: ImportContext): Fields {
  const modelChannels = channels.filter(({ models }) => models.includes(id));
  const ranks = [...new Set(modelChannels.map(({ priority }) => priority))].sort((one, other) => other - one);
  const candidates = modelChannels.map(({ place, mapping, priority, weight }): Fields => {
    const upstreamModel = toText(mapping[id]);
    const rank = ranks.indexOf(priority) + 1;
    return {
      upstream: upstreams.getName(place),
      ...(upstreamModel !== undefined && upstreamModel !== id && { upstreamModel }),
      ...(rank > 1 && { priority: rank }),
      ...(weight !== undefined && { weight }),
    };
  });
  const modelGroups = [...new Set(modelChannels.flatMap((one) => one.groups))].filter(
    (name) => groups.includes(name) || name === 'default' || name === 'vip',
  );
  const isImage = /^(?:dall-e|gpt-image|chatgpt-image)/.test(id);
  const prices = toPrices(id, ratios, isImage, remarks);
  return {
    id,
    kind: isImage ? 'image' : 'text',
    candidates,
    ...(modelGroups.length > 0 && !modelGroups.includes('default') && { groups: modelGroups }),
    ...(prices && { prices }),
  };
}

/** Returns the groups that have a ratio or a channel. */
function toGroups({ group }: Ratios, channels: readonly Channel[], remarks: Remarks): Record<string, Fields> {
  const names = new Set([...Object.keys(group), ...channels.flatMap(({ groups }) => groups)]);
  const groups: Record<string, Fields> = {};
  for (const name of names) {
    const ratio = group[name] === undefined ? undefined : parseDecimal(group[name]);
    const multiplier = ratio && formatDecimal(ratio);
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
function readRatios(root: Fields): Ratios {
  const options: unknown = root.options;
  const optionValues = Array.isArray(options)
    ? Object.fromEntries(options.map(toFields).map(({ key, value }) => [String(key), value]))
    : toFields(options);
  const readOption = (name: string): Fields => toFields(parseJson(optionValues[name] ?? root[name]));
  return {
    model: readOption('ModelRatio'),
    completion: readOption('CompletionRatio'),
    cache: readOption('CacheRatio'),
    createCache: readOption('CreateCacheRatio'),
    group: readOption('GroupRatio'),
    price: readOption('ModelPrice'),
  };
}

const DOLLARS_PER_RATIO = { digits: 2n, places: 0 };

/** Returns undefined if the file lacks a ratio. new-api has built-in ratios, which aren't guessed here. */
function toPrices(id: string, ratios: Ratios, isImage: boolean, remarks: Remarks): Fields | undefined {
  const callPrice = Object.hasOwn(ratios.price, id) ? parseDecimal(ratios.price[id]) : undefined;
  if (callPrice) {
    const dollars = formatDecimal(callPrice);
    if (isImage && dollars !== undefined) return { images: { default: dollars } };
    remarks.add(`ModelPrice.${id}`, "is a price per call, which isn't supported for text models");
    return undefined;
  }
  const [ratio, completion] = [ratios.model[id], ratios.completion[id]].map(parseDecimal);
  if (!ratio || isImage) return undefined;
  if (!completion) {
    remarks.add(`CompletionRatio.${id}`, 'is missing, so the price of output tokens is unknown');
    return undefined;
  }
  const input = multiply(ratio, DOLLARS_PER_RATIO);
  const decimalPrices = {
    input,
    output: multiply(input, completion),
    cachedInput: multiplyByRatio(input, ratios.cache[id]),
    cacheWrite: multiplyByRatio(input, ratios.createCache[id]),
  };
  const prices: Record<string, string> = {};
  for (const [name, price] of Object.entries(decimalPrices)) {
    const written = price && formatDecimal(price);
    if (written !== undefined) prices[name] = written;
    else if (price) remarks.add(`${id}.${name}`, 'needs more than six decimal places in dollars per million tokens');
  }
  return 'input' in prices && 'output' in prices ? prices : undefined;
}

function multiplyByRatio(input: Parameters<typeof multiply>[0], ratio: unknown): Parameters<typeof multiply>[0] | undefined {
  const factor = parseDecimal(ratio);
  return factor && multiply(input, factor);
}
