/** GET /catalog: every model with prices, bounds and abilities; needs no key. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Abilities, CatalogList, CatalogModel, CatalogPrices } from '../../../contract/catalog.ts';
import type { Model as ListedModel } from '../../../contract/models.ts';
import type { ModelProtocol } from '../../../contract/protocol.ts';
import { type Receipt, USAGE_PAGE_LENGTH, type UsageList, type UsageQuery, type UsageRecord } from '../../../contract/usage.ts';
import { callableModels, mayCall, permitOperation } from '../../access/permissions.ts';
import type { Principal } from '../../access/store.ts';
import type { Catalog, Model } from '../../config/config.ts';
import { maxAnswer } from '../../dialects/asked.ts';
import { sidesOf } from '../../dialects/upstream-sides.ts';
import { type ErrorOf, GatewayError, shown } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { formatDollars, itemise, type Prices, parseMultiplier, timesMultiplier, writeAttempts } from '../../ledger/charge.ts';
import { type PriceView, readPriceVersion, STANDARD } from '../../ledger/price-book.ts';
import type { ChargeRecord, LedgerStore } from '../../ledger/store.ts';
import { freeMemory, ownTurn } from '../../primitives/shared-timeout.ts';
import { forward, type JsonOf, writeJson } from '../../request/failover.ts';
import { fieldsAt } from '../../request/field-fates.ts';
import { countInput } from '../../request/input-tokens.ts';
import { jsonBodyOf } from '../body.ts';
import { callOf } from '../entrance.ts';
import type { Handlers } from '../ts-rest.ts';

/** The catalog of one group, cached: it may be long and anyone may ask. It is written again only when the configuration or a price changes. */
interface CachedTexts {
  readonly config: Gateway['config'];
  readonly prices: PriceView | undefined;
  readonly texts: Map<string | undefined, JsonOf<CatalogList>>;
}

export function catalogHandlers(gateway: Gateway): Handlers<'getCatalog'> {
  let written: CachedTexts | null = null;
  const textsNow = (): CachedTexts['texts'] => {
    const { config, money } = gateway;
    const prices = money?.prices.now;
    if (written?.config !== config || written.prices !== prices) written = { config, prices, texts: new Map() };
    return written.texts;
  };
  const textFor = (group: string | undefined): JsonOf<CatalogList> => {
    const texts = textsNow();
    const text = texts.get(group) ?? writeJson<CatalogList>(writeCatalog(gateway, group));
    texts.set(group, text);
    return text;
  };
  return {
    async getCatalog({ reply, query: { group }, okJson }) {
      if (group !== undefined) checkGroup(gateway, group);
      reply.header('cache-control', 'public, max-age=60');
      return okJson(reply, textFor(group));
    },
  };
}

/** Rejects unknown groups before the cache stores anything under their names. */
function checkGroup({ config }: Gateway, group: string): void {
  if (Object.hasOwn(config.groups, group)) return;
  throw unknownGroup(`Group '${shown(group)}' not found. Available groups: ${Object.keys(config.groups).join(', ')}.`);
}

const unknownGroup = (message: string): ErrorOf<'getCatalog', 400> => new GatewayError('invalid_value', { param: 'group', message });

function writeCatalog(gateway: Gateway, group: string | undefined): CatalogList {
  const models = gateway.catalog.list().filter(({ groups }) => group === undefined || groups.includes(group));
  return { object: 'list', data: models.map((model) => writeCatalogModel(gateway, model)) };
}

export function writeCatalogModel({ config, money }: Gateway, model: Model): CatalogModel {
  const version = money?.prices.find(STANDARD, model.id);
  return {
    id: model.id,
    object: 'model',
    owned_by: model.ownedBy,
    kind: model.kind,
    groups: model.groups.map((name) => ({ name, multiplier: decimal(config.groups[name]?.multiplier ?? '1') })),
    prices: version ? writePrices(version.prices) : null,
    ...boundsOf(model),
    protocols: model.kind === 'image' ? ['images'] : ['chat', 'responses'],
    abilities: abilitiesFor(model),
  };
}

const boundsOf = (model: Model) => ({
  context_window: model.contextWindow ?? null,
  max_output_tokens: model.kind === 'image' ? null : maxAnswer(model),
});

const abilitiesFor = (model: Model): Abilities => (model.kind === 'image' ? drawing : abilitiesOf(model));

export const decimal = (multiplier: string): string => formatDollars(BigInt(parseMultiplier(multiplier)));

export function writePrices(prices: Prices): CatalogPrices {
  switch (prices.kind) {
    case 'free':
      return 'free';
    case 'images':
      return { images: writeEach(prices.byKind) };
    case 'tokens':
      return {
        input: formatDollars(prices.input),
        cached_input: formatDollars(prices.cachedInput),
        cache_write: formatDollars(prices.cacheWrite),
        cache_write_1h: formatDollars(prices.cacheWrite1h),
        cache_write_12h: formatDollars(prices.cacheWrite12h),
        output: formatDollars(prices.output),
        tools: writeEach(prices.tools),
      };
  }
}

const writeEach = (amounts: Readonly<Record<string, bigint>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatDollars(amount)]));

/** The abilities of an image model: it takes images to edit, and none of the others. */
const drawing: Abilities = {
  tools: false,
  hosted_tools: false,
  parallel_tool_calls: false,
  image_input: true,
  structured_output: 'none',
  reasoning_effort: false,
};

/** The abilities of a text model. Translation supports all of them over every protocol; only quirks of an upstream remove some. */
function abilitiesOf({ protocols, quirks }: Model): Abilities {
  const hasTools = !quirks?.unsupported.includes('tools');
  const sides = sidesOf(protocols);
  return {
    tools: hasTools,
    hosted_tools: sides.some(({ runsTools }) => runsTools),
    parallel_tool_calls: hasTools && quirks?.parallelToolCalls !== false && sides.some(({ limitsCalls }) => limitsCalls),
    image_input: true,
    structured_output: quirks?.structuredOutput ?? 'schema',
    reasoning_effort: quirks === undefined || quirks.reasoningEffort === 'send',
  };
}

const SECOND_MS = 1_000;

/** Without billing no request is recorded: the list is empty, and every ID is unknown. */
export function usageHandlers({ money }: Gateway): Handlers<'listUsage' | 'getUsage'> {
  const ledger = money?.ledger ?? null;
  return {
    async listUsage({ request, reply, query, ok }) {
      const { principal } = callOf(request);
      reply.header('cache-control', 'private, no-store');
      return ok(await readPage(ledger, principal.accountId, query));
    },
    async getUsage({ request, reply, params, ok }) {
      const { principal } = callOf(request);
      const id = params.request_id;
      const charge = await ownCharge(ledger, principal.accountId, id);
      if (!charge || !ledger) throw unknownRequest(id);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeReceipt(ledger, charge));
    },
  };
}

/** The receipt as its caller gets it, here and in the portal. */
export async function writeReceipt(ledger: LedgerStore, charge: ChargeRecord): Promise<Receipt> {
  const [version, attempts] = await Promise.all([ledger.findPrice(charge.priceVersion), ledger.listAttempts(charge.requestId)]);
  const lines = itemise(charge, version ? readPriceVersion(version).prices : null);
  return { ...writeUsage(charge), price_version: charge.priceVersion, attempts: writeAttempts(attempts), ...lines };
}

const unknownRequest = (id: string): ErrorOf<'getUsage', 404> =>
  new GatewayError('not_found', {
    param: 'request_id',
    message: `Request '${shown(id)}' not found. This account has no request with this ID.`,
  });

/** A request of another account is answered like one that doesn't exist. */
async function ownCharge(ledger: LedgerStore | null, accountId: string, requestId: string): Promise<ChargeRecord | undefined> {
  const charge = await ledger?.findCharge(requestId);
  return charge?.accountId === accountId ? charge : undefined;
}

async function readPage(ledger: LedgerStore | null, accountId: string, query: UsageQuery): Promise<UsageList> {
  const { from, to, limit = USAGE_PAGE_LENGTH, after } = query;
  if (after !== undefined && !(await ownCharge(ledger, accountId, after))) throw notAfter();
  const order = {
    accountId,
    limit: limit + 1,
    ...(from !== undefined && { from: from * SECOND_MS }),
    ...(to !== undefined && { to: to * SECOND_MS }),
    ...(after !== undefined && { after }),
  };
  const found = (await ledger?.listCharges(order)) ?? [];
  const data = found.slice(0, limit).map(writeUsage);
  return {
    object: 'list',
    data,
    first_id: data[0]?.request_id ?? null,
    last_id: data.at(-1)?.request_id ?? null,
    has_more: found.length > limit,
  };
}

const notAfter = (): ErrorOf<'listUsage', 400> =>
  new GatewayError('invalid_value', { param: 'after', message: "'after' must be the ID of a request of this account." });

/** Omits the overrun: the amount the operator paid because the upstream used more than was held. */
function writeUsage(charge: ChargeRecord): UsageRecord {
  const { metered } = charge;
  return {
    object: 'usage',
    request_id: charge.requestId,
    key_id: charge.keyId,
    model: charge.model,
    operation: charge.operation,
    state: charge.state,
    outcome: charge.outcome,
    source: charge.source === 'balance' ? 'balance' : 'subscription',
    held: formatDollars(charge.held),
    charged: formatDollars(charge.charged),
    estimated: charge.isEstimated,
    tokens: metered && writeTokens(metered),
    output_limit: metered?.outputLimit ?? null,
    images: metered && { ...metered.images },
    tools: metered && { ...metered.tools },
    created_at: toSeconds(charge.createdAt),
    settled_at: charge.settledAt === null ? null : toSeconds(charge.settledAt),
  };
}

const writeTokens = ({ input, cachedInput, cacheWrite, output, reasoning }: NonNullable<ChargeRecord['metered']>) => ({
  input,
  cached_input: cachedInput,
  cache_write: cacheWrite,
  output,
  reasoning,
});
const toSeconds = (at: number): number => Math.floor(at / SECOND_MS);

/**
 * The part of Codex's private format that version 0.169 was seen to need. Codex rejects the whole list for one entry that it can't read, so every
 * entry is validated by this schema before it is sent.
 */
const CodexModel = z.strictObject({
  slug: z.string().min(1),
  display_name: z.string().min(1),
  description: z.string(),
  base_instructions: z.string().min(1),
  default_reasoning_level: z.string(),
  supported_reasoning_levels: z.array(z.strictObject({ effort: z.string(), description: z.string() })).min(1),
  shell_type: z.literal('unified_exec'),
  apply_patch_tool_type: z.literal('freeform'),
  web_search_tool_type: z.enum(['text', 'text_and_image']),
  supports_search_tool: z.boolean(),
  input_modalities: z.array(z.enum(['text', 'image'])),
  visibility: z.literal('list'),
  supported_in_api: z.literal(true),
  priority: z.int().min(1),
  support_verbosity: z.boolean(),
  default_verbosity: z.literal('low').optional(),
  truncation_policy: z.strictObject({ mode: z.literal('tokens'), limit: z.int() }),
  experimental_supported_tools: z.array(z.string()).max(0),
  context_window: z.int().min(1),
});
type CodexModel = z.infer<typeof CodexModel>;

interface CodexSettings {
  readonly contextWindow: number;
}

/** Codex sends this as the whole system prompt of a model that it doesn't know. */
const instructions = [
  'You are a coding agent. You work with the user in one folder of their machine, through the Codex command line.',
  'Read the code before you change it, keep to its style, and change no more than the task needs.',
  'Run commands with the shell tool. Edit files with apply_patch and with nothing else.',
  'Leave alone what others have changed, and never throw work away that is not yours.',
  'Test what you did where there is a way to. Say plainly what you did, what you found and what is left undone.',
  'Go on until the task is done, or until you need something that only the user can decide.',
].join('\n');

const levels = [
  { effort: 'low', description: 'Fast, minimal reasoning' },
  { effort: 'medium', description: 'Balanced, for most tasks' },
  { effort: 'high', description: 'Slow, deep reasoning for hard tasks' },
];

/** Writes the text models. Omits an entry that doesn't match the schema, so that Codex can read the rest. */
function writeCodexModels(models: readonly Model[], settings: CodexSettings): CodexModel[] {
  const texts = models.filter(({ kind }) => kind === 'text');
  return texts.flatMap((model, index) => CodexModel.safeParse(writeEntry(model, index + 1, settings)).data ?? []);
}

/** The upstream's own tools are offered only when it speaks the responses protocol. */
function writeEntry(model: Model, priority: number, settings: CodexSettings): CodexModel {
  const { id, ownedBy, protocols } = model;
  const isNative = protocols.includes('responses');
  const hasVerbosity = isNative || protocols.includes('chat');
  return {
    slug: id,
    display_name: id,
    description: `Served by ${ownedBy}.`,
    base_instructions: instructions,
    default_reasoning_level: 'medium',
    supported_reasoning_levels: levels,
    shell_type: 'unified_exec',
    apply_patch_tool_type: 'freeform',
    web_search_tool_type: isNative ? 'text_and_image' : 'text',
    supports_search_tool: isNative,
    input_modalities: ['text', 'image'],
    visibility: 'list',
    supported_in_api: true,
    priority,
    support_verbosity: hasVerbosity,
    ...(hasVerbosity && { default_verbosity: 'low' }),
    truncation_policy: { mode: 'tokens', limit: 10_000 },
    experimental_supported_tools: [],
    context_window: model.contextWindow ?? settings.contextWindow,
  };
}

export function modelHandlers(gateway: Gateway): Handlers<'listModels' | 'getModel' | 'getProtocol'> {
  return {
    async listModels({ request, reply, query, ok }) {
      // Read for each request: a reload may have replaced both.
      const { catalog, config } = gateway;
      const { principal } = callOf(request);
      const models = callableModels(principal, catalog);
      const pricing = await pricingFor(gateway, principal);
      reply.header('cache-control', 'private, no-store');
      return ok({
        object: 'list',
        data: models.map((model) => writeListedModel(model, pricing)),
        // Only Codex sends its version in the query.
        ...(config.codex.models && query.client_version !== undefined && { models: writeCodexModels(models, config.codex) }),
      });
    },
    async getModel({ request, reply, params, ok }) {
      const { principal } = callOf(request);
      const model = callableModels(principal, gateway.catalog).find(({ id }) => id === params.model);
      if (!model) throw unknownModel(params.model);
      reply.header('cache-control', 'private, no-store');
      return ok(writeListedModel(model, await pricingFor(gateway, principal)));
    },
    async getProtocol({ request, reply, query, ok }) {
      const { catalog } = gateway;
      const { principal } = callOf(request);
      const models = callableModels(principal, catalog).filter(({ id }) => query.model === undefined || id === query.model);
      if (query.model !== undefined && models.length === 0) throw unknownModel(query.model);
      const data: ModelProtocol[] = [];
      for (const model of models) data.push(await writeProtocol(catalog, model, principal));
      reply.header('cache-control', 'private, no-store');
      return ok({ object: 'list', data });
    },
  };
}

/** A model that only other keys may call is answered like one that doesn't exist. */
const unknownModel = (id: string): ErrorOf<'getModel' | 'getProtocol', 404> =>
  new GatewayError('model_not_found', {
    param: 'model',
    message: `Model '${shown(id)}' not found. GET /v1/models lists the models this key can call.`,
  });

/** Upstreams that are alike are one entry: callers don't see how many there are. */
async function writeProtocol(catalog: Catalog, model: Model, principal: Principal): Promise<ModelProtocol> {
  const upstreams = new Map<string, ModelProtocol['upstreams'][number]>();
  for (const candidate of catalog.candidates(model)) {
    // Hundreds of calls are written for a new one.
    await ownTurn();
    const operations = fieldsAt(candidate).filter(({ operation }) => mayCall(principal, model, operation));
    const entry = { protocols: [...candidate.protocols], operations };
    upstreams.set(JSON.stringify(entry), entry);
  }
  return { id: model.id, object: 'model.protocol', upstreams: [...upstreams.values()] };
}

type PricingOf = (model: Model) => CatalogPrices | null;

/** What a key pays now. Without its store the list has no prices: it is needed all the same. */
async function pricingFor({ money, config }: Gateway, { accountId, group }: Principal): Promise<PricingOf> {
  if (!money) return () => null;
  const subscription = await money.ledger.activeSubscription(accountId, money.now()).catch(() => null);
  if (subscription === null) return () => null;
  const list = subscription?.priceList ?? STANDARD;
  const multiplier = config.groups[group]?.multiplier ?? '1';
  return ({ id }) => {
    const version = money.prices.find(list, id);
    return version ? writePrices(timesMultiplier(version.prices, multiplier)) : null;
  };
}

function writeListedModel(model: Model, pricing: PricingOf): ListedModel {
  const { id, created, ownedBy } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: ownedBy,
    ...boundsOf(model),
    pricing: pricing(model),
    capabilities: abilitiesFor(model),
  };
}

export function countHandlers(gateway: Gateway): Handlers<'countInputTokens'> {
  return {
    async countInputTokens({ request, reply, ok }) {
      const { tokens, isEstimated } = await countInput(gateway, callOf(request), jsonBodyOf(request));
      reply.header('cache-control', 'private, no-store');
      return ok({ object: 'response.input_tokens', input_tokens: tokens, estimated: isEstimated });
    },
  };
}

export function storedResponseHandlers({ history }: Gateway): Handlers<'getResponse' | 'deleteResponse' | 'listInputItems'> {
  return {
    async getResponse({ request, reply, params, pass }) {
      reply.header('cache-control', 'private, no-store');
      // Sent as stored, whatever its length; development and tests validate it, as every response.
      const response = await history.find(readerOf(request, 'getResponse'), params.response_id);
      freeWhenSent(reply, response);
      return pass(reply, forward(response));
    },
    async deleteResponse({ request, params, ok }) {
      await history.remove(readerOf(request, 'deleteResponse').accountId, params.response_id);
      return ok({ id: params.response_id, object: 'response', deleted: true });
    },
    async listInputItems({ request, reply, params, query, pass }) {
      const page = await history.inputOf(readerOf(request, 'listInputItems'), params.response_id, query);
      reply.header('cache-control', 'private, no-store');
      freeWhenSent(reply, page);
      return pass(reply, forward(page));
    },
  };
}

/** The system has all bytes then; when the caller disconnects before, the garbage collection frees them. */
const freeWhenSent = (reply: FastifyReply, bytes: Buffer): void => void reply.raw.once('finish', () => freeMemory(bytes));

/** The account that has to own the response. Throws 403 when the key lacks the permission. */
function readerOf(request: FastifyRequest, operation: 'getResponse' | 'deleteResponse' | 'listInputItems') {
  const { principal, share } = callOf(request);
  permitOperation(principal, operation);
  return { accountId: principal.accountId, share };
}
