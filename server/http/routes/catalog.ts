/** GET /catalog: every model with prices, bounds and abilities; needs no key. */
import type { Abilities, CatalogList, CatalogModel, CatalogPrices } from '../../../contract/catalog.ts';
import type { Model } from '../../config/catalog.ts';
import { longestAnswer } from '../../dialects/turn/longest-answer.ts';
import { sidesOf } from '../../dialects/upstream-sides.ts';
import { type ErrorOf, GatewayError, shown } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { formatDollars, parseMultiplier } from '../../ledger/money.ts';
import { type PriceView, STANDARD } from '../../ledger/price-book.ts';
import type { Prices } from '../../ledger/prices.ts';
import { type JsonOf, writeJson } from '../../request/answer.ts';
import type { Handlers } from '../ts-rest.ts';

/** The catalog of one group, cached: it may be long and anyone may ask. It is written anew only when the configuration or a price changes. */
interface Written {
  readonly config: Gateway['config'];
  readonly prices: PriceView | undefined;
  readonly texts: Map<string | undefined, JsonOf<CatalogList>>;
}

export function catalogHandlers(gateway: Gateway): Handlers<'getCatalog'> {
  let written: Written | null = null;
  const textsNow = (): Written['texts'] => {
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

/** Refuses unknown groups before the cache stores anything under their names. */
function checkGroup({ config }: Gateway, group: string): void {
  if (Object.hasOwn(config.groups, group)) return;
  throw unknownGroup(`There is no group '${shown(group)}'. Groups: ${Object.keys(config.groups).join(', ')}.`);
}

const unknownGroup = (message: string): ErrorOf<'getCatalog', 400> => new GatewayError('invalid_value', { param: 'group', message });

function writeCatalog(gateway: Gateway, group: string | undefined): CatalogList {
  const models = gateway.catalog.list().filter(({ groups }) => group === undefined || groups.includes(group));
  return { object: 'list', data: models.map((model) => writeModel(gateway, model)) };
}

export function writeModel({ config, money }: Gateway, model: Model): CatalogModel {
  const version = money?.prices.find(STANDARD, model.id);
  return {
    id: model.id,
    object: 'model',
    owned_by: model.ownedBy,
    kind: model.kind,
    groups: model.groups.map((name) => ({ name, multiplier: decimal(config.groups[name]?.multiplier ?? '1') })),
    prices: version ? writePrices(version.prices) : null,
    context_window: model.contextWindow ?? null,
    max_output_tokens: model.kind === 'image' ? null : longestAnswer(model),
    protocols: model.kind === 'image' ? ['images'] : ['chat', 'responses'],
    abilities: model.kind === 'image' ? drawing : abilitiesOf(model),
  };
}

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
