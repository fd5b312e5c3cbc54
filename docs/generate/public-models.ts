/**
 * Writes `docs/generated/public-models.json`, the catalog of public models. Run by hand; the gateway never downloads it.
 * `node docs/generate/public-models.ts <folder of the checkout> <folder of the package>`
 * The checkout is github.com/anomalyco/models.dev (MIT). The package is the unpacked npm package `@earendil-works/pi-ai` (MIT), which is
 * generated from the checkout and published more often. If both have a model, the package's prices and limits win.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@decimalturn/toml-patch';
import { z } from 'zod';
import type { PublicModel, PublicModels } from '../../server/config/public-models.ts';

/** Provider folders of the checkout, with the hosts of their APIs. Empty if the host isn't fixed. */
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

/** Provider names in the package, where they differ from the checkout. */
const packageNames: Readonly<Record<string, string>> = { togetherai: 'together', 'fireworks-ai': 'fireworks' };

const Rate = z.number().min(0).max(99_999);
const Rates = z.object({ input: Rate, output: Rate, cache_read: Rate.optional(), cache_write: Rate.optional() });
type Rates = z.infer<typeof Rates>;
const Cost = Rates.extend({ tiers: z.array(Rates.extend({ tier: z.object({ size: z.int() }) })).optional() });
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

/** Applies a provider's overrides to the facts of the base model. Nested tables are merged field by field. */
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

/** Formats dollars as the configuration expects them: without exponents or float noise. */
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
  return {
    kind,
    ...(kind === 'text' && cost && { prices: pricesOf(cost) }),
    ...(limit?.context && { contextWindow: limit.context }),
    ...(limit?.output && { maxOutputTokens: limit.output }),
    ...(abilities.length > 0 && { abilities }),
    ...(status === 'deprecated' && { isRetired: true }),
  };
}

/** A cache rate of zero means that the source has no rate. */
const ratesOf = ({ input, output, cache_read: cached = 0, cache_write: written = 0 }: Rates) => ({
  input: dollars(input),
  ...(cached > 0 && { cachedInput: dollars(cached) }),
  ...(written > 0 && { cacheWrite: dollars(written) }),
  output: dollars(output),
});

/** Ignores tiers that cost less than the base price in input or output, or the same in total. They would undercharge requests. */
function pricesOf({ tiers = [], ...cost }: z.infer<typeof Cost>) {
  const isHigher = (tier: Rates) =>
    tier.input >= cost.input && tier.output >= cost.output && tier.input + tier.output > cost.input + cost.output;
  const long = tiers.filter(isHigher).map(({ tier, ...rates }) => [tier.size, ratesOf(rates)] as const);
  return { ...ratesOf(cost), ...(long.length > 0 && { longContext: Object.fromEntries(long) }) };
}

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
    tiers: z.array(z.object({ inputTokensAbove: z.int(), input: Rate, output: Rate, cacheRead: Rate, cacheWrite: Rate })).optional(),
  }),
  contextWindow: z.int().optional(),
  maxTokens: z.int().optional(),
});
const PackageProvider = z.record(z.string(), z.record(z.string(), PackageModel));

/** Reads the chat models of the package, which lists only models that support tools. */
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
      // If both token rates are zero, the package has no price.
      cost:
        cost.input + cost.output === 0
          ? undefined
          : {
              input: cost.input,
              output: cost.output,
              cache_read: cost.cacheRead,
              cache_write: cost.cacheWrite,
              tiers: cost.tiers?.map(({ inputTokensAbove: size, cacheRead, cacheWrite, ...rates }) => ({
                ...rates,
                cache_read: cacheRead,
                cache_write: cacheWrite,
                tier: { size },
              })),
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

/** Writes one model per line, so that a new catalog gives a readable diff. */
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
