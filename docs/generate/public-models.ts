/**
 * Writes `docs/generated/public-models.json`, the catalog of public models, from a checkout of github.com/anomalyco/models.dev (MIT), and
 * from the unpacked npm package `@earendil-works/pi-ai` (MIT), which is generated from it and published more often:
 * `node docs/generate/public-models.ts <folder of the checkout> <folder of the package>`. Where both have a model, the package's prices and
 * bounds win. It is run by hand; nothing of it is fetched when the gateway runs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@decimalturn/toml-patch';
import { z } from 'zod';
import type { PublicModel, PublicModels } from '../../server/config/public-models.ts';

/** Folders of the checkout, and the hosts where these providers are reached with keys. */
const providers: Readonly<Record<string, readonly string[]>> = {
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

/** The package's names of providers, where they differ. */
const packageNames: Readonly<Record<string, string>> = { togetherai: 'together', 'fireworks-ai': 'fireworks' };

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

/** What a provider writes over the facts of the model itself; tables are merged field by field. */
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

function modelsOf(checkout: string, provider: string): Record<string, PublicModel> {
  const folder = join(checkout, 'providers', provider, 'models');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.toml'));
  const found = files.sort().flatMap((file): [string, PublicModel][] => {
    const name = file.slice(0, -'.toml'.length);
    const model = modelOf(name, readEntry(checkout, join(folder, file)));
    return model ? [[name, model]] : [];
  });
  return Object.fromEntries(found);
}

const PackageModel = z.object({
  type: z.enum(['chat', 'image', 'classifier']),
  id: z.string(),
  reasoning: z.boolean().optional(),
  input: z.array(z.string()),
  cost: z.object({
    input: Rate,
    output: Rate,
    cacheRead: Rate,
    cacheWrite: Rate,
    tiers: z.array(z.object({ inputTokensAbove: z.int() })).optional(),
  }),
  contextWindow: z.int().optional(),
  maxTokens: z.int().optional(),
});
const PackageProvider = z.record(z.string(), z.record(z.string(), PackageModel));

/** The models of the package that converse. It lists only those that call tools. */
function newerModelsOf(folder: string, provider: string): Record<string, PublicModel> {
  const file = join(folder, 'dist', 'providers', 'data', `${packageNames[provider] ?? provider}.json`);
  if (!existsSync(file)) return {};
  const all = Object.values(PackageProvider.parse(JSON.parse(readFileSync(file, 'utf8')))).flatMap((api) => Object.values(api));
  const found = all.flatMap(({ type, id, reasoning, input, cost, contextWindow: context, maxTokens: output }) => {
    const entry = {
      tool_call: true,
      reasoning,
      modalities: { input, output: ['text'] },
      limit: { context, output },
      // A rate of zero for all tokens means that the package has no price.
      cost:
        cost.input + cost.output === 0
          ? undefined
          : {
              input: cost.input,
              output: cost.output,
              cache_read: cost.cacheRead,
              cache_write: cost.cacheWrite,
              tiers: cost.tiers?.map(({ inputTokensAbove: size }) => ({ tier: { size } })),
            },
    };
    const model = type === 'chat' ? modelOf(id, entry) : undefined;
    return model ? [[id, model] as const] : [];
  });
  return Object.fromEntries(found);
}

function combined(models: Readonly<Record<string, PublicModel>>, newer: Readonly<Record<string, PublicModel>>) {
  const both = Object.entries(newer).map(([name, model]) => {
    const known = models[name];
    const abilities = [...new Set([...(known?.abilities ?? []), ...(model.abilities ?? [])])];
    return [name, { ...known, ...model, abilities, ...(known?.kind && { kind: known.kind }) }] as const;
  });
  const all = Object.entries({ ...models, ...Object.fromEntries(both) });
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** One model in each line, so that a newer catalog can be read as a difference. */
function write({ providers: all, ...head }: PublicModels): string {
  const parts = Object.entries(all).map(([provider, { hosts, models }]) => {
    const lines = Object.entries(models).map(([name, model]) => `${JSON.stringify(name)}: ${JSON.stringify(model)}`);
    return `${JSON.stringify(provider)}: {"hosts": ${JSON.stringify(hosts)}, "models": {\n${lines.join(',\n')}\n}}`;
  });
  return `${JSON.stringify(head).slice(0, -1)}, "providers": {\n${parts.join(',\n')}\n}}\n`;
}

const [checkout, newer] = process.argv.slice(2);
if (checkout === undefined || newer === undefined)
  throw new Error('Name the folders of the checkout and of the package: node docs/generate/public-models.ts <checkout> <package>');
const { version } = JSON.parse(readFileSync(join(newer, 'package.json'), 'utf8'));
const { generatedAt } = JSON.parse(readFileSync(join(newer, 'dist', 'providers', 'data', '.manifest.json'), 'utf8'));
const day = execFileSync('git', ['-C', checkout, 'log', '-1', '--format=%cs'], { encoding: 'utf8' }).trim();
const catalog: PublicModels = {
  source: `github.com/anomalyco/models.dev of ${day} and npm package @earendil-works/pi-ai ${version}`,
  licence: 'MIT, Copyright (c) 2025 models.dev; MIT, Copyright (c) 2025 Mario Zechner',
  date: String(generatedAt).slice(0, 10),
  providers: Object.fromEntries(
    Object.entries(providers).map(([provider, hosts]) => [
      provider,
      { hosts, models: combined(modelsOf(checkout, provider), newerModelsOf(newer, provider)) },
    ]),
  ),
};
writeFileSync(fileURLToPath(new URL('../generated/public-models.json', import.meta.url)), write(catalog));
