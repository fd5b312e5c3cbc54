/**
 * Writes `docs/public-models.json`, the catalog of public models, from a checkout of github.com/anomalyco/models.dev (MIT):
 * `node docs/public-models.ts <folder of the checkout>`. It is run by hand; nothing of it is fetched when the gateway runs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { z } from 'zod';
import type { PublicModel, PublicModels } from '../server/config/public-models.ts';

/** Folders of the checkout, and the hosts where these vendors are reached with keys. */
const vendors: Readonly<Record<string, readonly string[]>> = {
  openai: ['api.openai.com'],
  anthropic: ['api.anthropic.com'],
  google: ['generativelanguage.googleapis.com'],
  azure: [],
  'amazon-bedrock': [],
  'google-vertex': [],
  'google-vertex-anthropic': [],
  openrouter: ['openrouter.ai'],
  mistral: ['api.mistral.ai'],
  deepseek: ['api.deepseek.com'],
  groq: ['api.groq.com'],
  xai: ['api.x.ai'],
  togetherai: ['api.together.xyz', 'api.together.ai'],
  'fireworks-ai': ['api.fireworks.ai'],
  cohere: ['api.cohere.ai', 'api.cohere.com'],
  cerebras: ['api.cerebras.ai'],
  perplexity: ['api.perplexity.ai'],
  deepinfra: ['api.deepinfra.com'],
  moonshotai: ['api.moonshot.ai'],
  zai: ['api.z.ai'],
  alibaba: ['dashscope-intl.aliyuncs.com'],
};

const Rate = z.number().min(0).max(99_999);
const Cost = z.object({
  input: Rate,
  output: Rate,
  cache_read: Rate.optional(),
  cache_write: Rate.optional(),
  tiers: z.array(z.object({ tier: z.object({ size: z.int() }) })).optional(),
});
const Entry = z.object({
  family: z.string().optional(),
  status: z.string().optional(),
  attachment: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  tool_call: z.boolean().optional(),
  structured_output: z.boolean().optional(),
  cost: Cost.optional(),
  limit: z.object({ context: z.int().optional(), output: z.int().optional() }).optional(),
  modalities: z.object({ input: z.array(z.string()), output: z.array(z.string()) }).optional(),
});
type Entry = z.infer<typeof Entry>;
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a vendor writes over the facts of the model itself; tables are merged field by field. */
function merged(base: Fields, own: Fields): Fields {
  const both = Object.entries(own).map(([name, value]) => {
    const before = base[name];
    return [name, isFields(before) && isFields(value) ? merged(before, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(both) };
}

function readEntry(checkout: string, file: string): Entry {
  const own: Fields = parse(readFileSync(file, 'utf8'));
  const base = typeof own.base_model === 'string' ? join(checkout, 'models', `${own.base_model}.toml`) : undefined;
  return Entry.parse(base !== undefined && existsSync(base) ? merged(parse(readFileSync(base, 'utf8')), own) : own);
}

/** Dollars without exponent or noise of floats, as the configuration has them. */
const dollars = (rate: number): string => rate.toFixed(6).replace(/\.?0+$/, '');

const notConversing = /embed|rerank|whisper|transcribe|tts|moderation|live|realtime|voxtral|safeguard/;

function modelOf(name: string, { family = '', status, cost, limit, modalities, ...able }: Entry): PublicModel | undefined {
  const gives = modalities?.output ?? ['text'];
  const kind = gives.includes('text') && !/gpt-image|chatgpt-image/.test(name) ? 'text' : 'image';
  if (!gives.some((one) => one === 'text' || one === 'image') || notConversing.test(`${name} ${family}`)) return undefined;
  const abilities = [
    ...(able.tool_call ? ['tools'] : []),
    ...(able.reasoning ? ['reasoning'] : []),
    ...(able.structured_output ? ['structured output'] : []),
    ...(modalities?.input.includes('image') ? ['images'] : []),
    ...(modalities?.input.includes('pdf') ? ['files'] : []),
  ];
  const tier = cost?.tiers?.[0]?.tier.size;
  return {
    kind,
    ...(kind === 'text' && cost && ratesOf(cost)),
    ...(kind === 'text' && tier && { higherAbove: tier }),
    ...(limit?.context && { contextWindow: limit.context }),
    ...(limit?.output && { maxOutputTokens: limit.output }),
    ...(abilities.length > 0 && { abilities }),
    ...(status === 'deprecated' && { isRetired: true }),
  };
}

/** A rate of zero for a cache beside others means that the list has none. */
const ratesOf = ({ input, output, cache_read: cached = 0, cache_write: written = 0 }: z.infer<typeof Cost>) => ({
  prices: {
    input: dollars(input),
    ...(cached > 0 && { cachedInput: dollars(cached) }),
    ...(written > 0 && { cacheWrite: dollars(written) }),
    output: dollars(output),
  },
});

function modelsOf(checkout: string, vendor: string): Record<string, PublicModel> {
  const folder = join(checkout, 'providers', vendor, 'models');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.toml'));
  const found = files.sort().flatMap((file): [string, PublicModel][] => {
    const name = file.slice(0, -'.toml'.length);
    const model = modelOf(name, readEntry(checkout, join(folder, file)));
    return model ? [[name, model]] : [];
  });
  return Object.fromEntries(found);
}

/** One model in each line, so that a newer catalog can be read as a difference. */
function write({ vendors: all, ...head }: PublicModels): string {
  const parts = Object.entries(all).map(([vendor, { hosts, models }]) => {
    const lines = Object.entries(models).map(([name, model]) => `${JSON.stringify(name)}: ${JSON.stringify(model)}`);
    return `${JSON.stringify(vendor)}: {"hosts": ${JSON.stringify(hosts)}, "models": {\n${lines.join(',\n')}\n}}`;
  });
  return `${JSON.stringify(head).slice(0, -1)}, "vendors": {\n${parts.join(',\n')}\n}}\n`;
}

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('Name the folder of the checkout: node docs/public-models.ts <folder>');
const date = execFileSync('git', ['-C', checkout, 'log', '-1', '--format=%cs'], { encoding: 'utf8' }).trim();
const catalog: PublicModels = {
  source: 'github.com/anomalyco/models.dev',
  licence: 'MIT, Copyright (c) 2025 models.dev',
  date,
  vendors: Object.fromEntries(Object.entries(vendors).map(([vendor, hosts]) => [vendor, { hosts, models: modelsOf(checkout, vendor) }])),
};
writeFileSync(fileURLToPath(new URL('public-models.json', import.meta.url)), write(catalog));
