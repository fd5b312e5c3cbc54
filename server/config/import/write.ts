/** Collects the upstreams of an import: one for each URL and key, with a name and an environment variable for the key. */

export interface Place {
  /** Provider name in the other gateway, from which the upstream's name is made. */
  readonly provider: string;
  readonly kind: 'openai' | 'openai-compatible' | 'anthropic' | 'gemini' | 'converse';
  readonly baseUrl?: string | undefined;
  readonly azure?: { readonly resource: string };
  /** Settings of the cloud and its authentication. */
  readonly cloud?: Readonly<Record<string, unknown>>;
  /** Names of the environment variables for its keys. Keys in the file are never copied. */
  readonly keys: readonly string[];
  readonly protocols?: readonly string[] | undefined;
}

/** Base URLs of providers that support chat completions. */
export const compatible: Readonly<Record<string, string>> = {
  openrouter: 'https://openrouter.ai/api/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  together_ai: 'https://api.together.xyz/v1',
  fireworks_ai: 'https://api.fireworks.ai/inference/v1',
  xai: 'https://api.x.ai/v1',
  perplexity: 'https://api.perplexity.ai',
  cerebras: 'https://api.cerebras.ai/v1',
  sambanova: 'https://api.sambanova.ai/v1',
  deepinfra: 'https://api.deepinfra.com/v1/openai',
  nvidia_nim: 'https://integrate.api.nvidia.com/v1',
  moonshot: 'https://api.moonshot.ai/v1',
  dashscope: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
};

/** Makes the name of an environment variable from words. */
export const variableOf = (...words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');

/** Prefix of environment variables in LiteLLM's files. */
export const ENVIRONMENT = 'os.environ/';

export class Upstreams {
  readonly settings: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #names = new Map<string, string>();

  /** Returns the name of the upstream, which is the same for the same URL and keys. */
  nameOf(place: Place): string {
    const { provider, kind, baseUrl, azure, cloud, keys, protocols } = place;
    const identity = JSON.stringify([kind, baseUrl, azure, cloud, keys, protocols]);
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    const base =
      provider
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '') || 'upstream';
    let name = base;
    for (let number = 2; Object.hasOwn(this.settings, name); number++) name = `${base}-${number}`;
    const variables = keys.map((variable) => `\${${variable}}`);
    this.settings[name] = {
      kind,
      ...(azure !== undefined && { azure }),
      ...cloud,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(variables.length === 1 && { apiKey: variables[0] }),
      ...(variables.length > 1 && { apiKeys: variables }),
      ...(protocols !== undefined && { protocols }),
    };
    this.#names.set(identity, name);
    return name;
  }
}

/** Returns the base URL without a trailing slash and without the operation that some files contain. */
export function baseOf(address: string | undefined, where: string, remarks: Remarks): string | undefined {
  if (address === undefined) return undefined;
  if (address.startsWith(ENVIRONMENT)) return `\${${address.slice(ENVIRONMENT.length)}}`;
  const base = address.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses|messages)$/, '');
  if (URL.canParse(base) && /^https?:$/.test(new URL(base).protocol)) return base;
  remarks.add(where, "isn't an http or https URL. Set the upstream's 'baseUrl' yourself");
  return undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  // `as`: it's an object and not a list.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);
export const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
};

/** Parses a string as JSON and returns other values unchanged. Returns undefined for invalid JSON. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Digits, and how many of them follow the decimal point. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Reads a number exactly as written: `1.25e-06` is 125 with eight places. Returns undefined for negative numbers and other values. */
export function readDecimal(value: unknown): Decimal | undefined {
  const found = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if ((typeof value !== 'number' && typeof value !== 'string') || !found) return undefined;
  const [, whole = '0', part = '', power = '0'] = found;
  return { digits: BigInt(whole + part), places: part.length - Number(power) };
}

export const times = (one: Decimal, other: Decimal): Decimal => ({ digits: one.digits * other.digits, places: one.places + other.places });

/** Multiplies by a million, which turns a price per token into one per million tokens. */
export const ofMillion = ({ digits, places }: Decimal): Decimal => ({ digits, places: places - 6 });

/** Writes the number without trailing zeros. Returns undefined if it needs more than six decimal places. */
export function writeDecimal({ digits, places }: Decimal): string | undefined {
  const text = places > 0 ? String(digits).padStart(places + 1, '0') : String(digits) + '0'.repeat(-places);
  const whole = places > 0 ? text.slice(0, -places) : text;
  const part = (places > 0 ? text.slice(-places) : '').replace(/0+$/, '');
  if (part.length > 6) return undefined;
  return part === '' ? whole : `${whole}.${part}`;
}

interface InAzure {
  readonly provider: 'azure' | 'azure_ai';
  readonly model: string;
  readonly params: Fields;
  readonly baseUrl: string | undefined;
  readonly keys: readonly string[];
}

const tokens = ['azure_ad_token', 'tenant_id', 'client_id', 'client_secret'];

/** Returns a message if the deployment can't be imported. */
export function azurePlace({
  provider,
  model,
  params,
  baseUrl,
  keys,
}: InAzure): string | { readonly place: Place; readonly model: string } {
  if (tokens.some((name) => textOf(params[name]) !== undefined))
    return "uses Microsoft Entra tokens. Add the upstream and its 'auth' yourself (docs/guides/azure.md)";
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  const [, resource, suffix] = /^([a-z0-9-]+)\.(openai|services\.ai|cognitiveservices)\.azure\.com$/.exec(host) ?? [];
  if (resource === undefined) return 'uses Azure, but the URL has no resource name. Add the upstream yourself (docs/guides/azure.md)';
  const isClaude = provider === 'azure_ai' && model.startsWith('claude');
  const isFilledIn = suffix === (isClaude ? 'services.ai' : 'openai');
  const address = isFilledIn ? {} : { baseUrl: `https://${host}${isClaude ? '/anthropic/v1' : '/openai/v1'}` };
  const kind = isClaude ? 'anthropic' : provider === 'azure' ? 'openai' : 'openai-compatible';
  // LiteLLM's own prefixes for model families, before the deployment name.
  return { model: model.replace(/^(?:o_series|gpt5_series)\//, ''), place: { provider, kind, azure: { resource }, keys, ...address } };
}

interface Remark {
  /** Position in the imported file, such as `model_list[2].litellm_params.rpm`. */
  readonly where: string;
  readonly message: string;
}

/** Settings for modelgate.yaml, and remarks about settings that weren't imported. */
export interface Imported {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly remarks: readonly Remark[];
}

export class Remarks {
  readonly list: Remark[] = [];

  add(where: string, message: string): void {
    this.list.push({ where, message });
  }
}
