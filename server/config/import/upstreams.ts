/** The upstreams of an import: one for each place and key, with a name, and its key as a variable of the environment. */
import type { Remarks } from './report.ts';

export interface Place {
  /** As the other gateway calls it; the name is made of it. */
  readonly vendor: string;
  readonly kind: 'openai' | 'openai-compatible' | 'anthropic' | 'gemini' | 'converse';
  readonly baseUrl?: string | undefined;
  readonly azure?: { readonly resource: string };
  /** Where a cloud serves it, and how requests prove themselves there. */
  readonly cloud?: Readonly<Record<string, unknown>>;
  /** Names of variables that hold its keys; a key that stands in the file is never copied. */
  readonly keys: readonly string[];
  readonly protocols?: readonly string[] | undefined;
}

/** Where vendors are that speak chat completions. */
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

/** A variable's name out of words. */
export const variableOf = (...words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');

/** Before the name of a variable, in LiteLLM's files. */
export const ENVIRONMENT = 'os.environ/';

export class Upstreams {
  readonly settings: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #names = new Map<string, string>();

  /** The name of the upstream; the same for the same place and keys. */
  nameOf(place: Place): string {
    const { vendor, kind, baseUrl, azure, cloud, keys, protocols } = place;
    const identity = JSON.stringify([kind, baseUrl, azure, cloud, keys, protocols]);
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    const base =
      vendor
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

/** The base of an address, without a slash at its end and without the operation that some files write. */
export function baseOf(address: string | undefined, where: string, remarks: Remarks): string | undefined {
  if (address === undefined) return undefined;
  if (address.startsWith(ENVIRONMENT)) return `\${${address.slice(ENVIRONMENT.length)}}`;
  const base = address.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses|messages)$/, '');
  if (URL.canParse(base) && /^https?:$/.test(new URL(base).protocol)) return base;
  remarks.add(where, 'is no address with http: or https:; write the base URL of the upstream by hand');
  return undefined;
}
