/** Fills in the defaults of models and checks them against their upstreams. Uses the standard models if the file has none. */

import type { Fault, HttpSettings } from './clouds/auth.ts';
import { isInlineOnly, modelFault, settleCloud } from './clouds/place.ts';
import { type ConfigDocument, type Environment, type Path, type Problem, pathText } from './document.ts';
import { issueFault } from './explain.ts';
import { standardModels } from './overrides.ts';
import { ConfigFile, type FileSettings } from './schema.ts';
import type { Prices } from './schema-models.ts';
import type { protocols } from './schema-upstreams.ts';
import {
  type AcceptedValues,
  acceptedByAny,
  type ChatRejection,
  type FieldRules,
  type ImageRules,
  knownImageRules,
  knownRejection,
  ofCompatible,
} from './values.ts';

/** Optional sizes and prices, which have no default. */
type Sizes = Pick<Entry, 'maxOutputTokens' | 'contextWindow' | 'prices'>;
/** A model with all defaults. Its upstream fields are those of the first candidate; its protocols are those of all candidates. */
export type ModelSettings = Required<Omit<Entry, keyof Sizes | 'candidates' | 'chatRejects' | 'images'>> &
  Sizes &
  Pick<CandidateSettings, 'quirks' | 'fields' | 'inlineOnly' | 'isCached' | 'chatRejects'> & {
    candidates: CandidateSettings[];
    /** Values that the model accepts. Set only for image models. */
    images?: ImageRules;
    /** The provider's own values that at least one candidate accepts. */
    accepts?: AcceptedValues;
  };

/** `created` needs a value; a fixed one keeps the list the same after a restart. */
const STANDARD_CREATED = 1_790_000_000;

interface ModelSources {
  readonly configured: FileSettings['models'];
  readonly upstreams: Readonly<Record<string, NamedUpstream>>;
  readonly document: ConfigDocument;
  /** Names of all groups: a model without `groups` is for all of them. */
  readonly groups: readonly string[];
}

export function completeModels({ configured, upstreams, document, groups }: ModelSources): Completed<ModelSettings[]> {
  const problems: Problem[] = [];
  const complete = (entry: Entry): ModelSettings => completeModel(entry, upstreams, groups);
  if (configured === undefined) return { value: standardModels.map(complete).filter((model) => model.protocols.length > 0), problems };
  for (const [index, entry] of configured.entries()) {
    const report = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>): void => {
      const whole = ['models', index, ...path];
      problems.push({ where: document.locate(whole), key: pathText(whole), ...fault });
    };
    const first = configured.findIndex((other) => other.id === entry.id);
    if (first !== index) report(['id'], { message: `is also the ID of models[${first}]`, remedy: 'Give each model a different id.' });
    checkPlaces(entry, upstreams, report);
  }
  return { value: configured.map(complete), problems };
}

function completeModel(entry: Entry, upstreams: ModelSources['upstreams'], groups: ModelSources['groups']): ModelSettings {
  const candidates = completeCandidates(entry, upstreams);
  const [first] = candidates;
  const { maxOutputTokens, contextWindow, prices } = entry;
  const accepts = acceptedByAny(candidates);
  return {
    id: entry.id,
    kind: entry.kind,
    ownedBy: entry.ownedBy ?? first?.upstream ?? '',
    created: entry.created ?? STANDARD_CREATED,
    upstream: first?.upstream ?? '',
    upstreamModel: first?.upstreamModel ?? entry.id,
    protocols: [...new Set(candidates.flatMap(({ protocols }) => protocols))],
    groups: entry.groups ?? [...groups],
    limits: entry.limits,
    candidates,
    ...(prices !== undefined && { prices }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(first?.quirks !== undefined && { quirks: first.quirks }),
    ...(first?.fields !== undefined && { fields: first.fields }),
    ...(first?.inlineOnly && { inlineOnly: true }),
    ...(accepts !== undefined && { accepts }),
    ...(entry.kind === 'image' && {
      images: { ...knownImageRules(first?.upstreamModel ?? entry.id), ...knownImageRules(entry.id), ...entry.images },
    }),
  };
}

type ReportFault = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>) => void;

function checkPlaces(entry: Entry, upstreams: ModelSources['upstreams'], report: ReportFault): void {
  const own = (['upstream', 'upstreamModel', 'protocols'] as const).filter((name) => entry[name] !== undefined);
  if (entry.candidates !== undefined && own.length > 0) {
    report([own[0] ?? ''], {
      message: "can't be combined with candidates",
      remedy: 'Move it into the candidates, or remove the candidates.',
    });
  }
  for (const place of placesOf(entry)) {
    checkUpstream(entry, place, upstreams, (path, fault) => report([...place.path, ...path], fault));
  }
}

function checkUpstream(entry: Entry, place: WrittenPlace, upstreams: ModelSources['upstreams'], report: ReportFault): void {
  const names = Object.keys(upstreams);
  const upstream = upstreams[place.upstream ?? names[0] ?? ''];
  if (upstream === undefined) {
    report(['upstream'], { message: "isn't a configured upstream", remedy: `Configured upstreams: ${names.join(', ')}.` });
    return;
  }
  const fault = modelFault(upstream, place.upstreamModel ?? entry.id);
  if (fault) report(['upstreamModel'], fault);
  const fitting = protocolsOfKind[entry.kind];
  const served: readonly Protocol[] = upstream.protocols;
  const usable = fitting.filter((protocol) => served.includes(protocol));
  const remedy = `Protocols of kind '${entry.kind}' on upstream '${upstream.name}': ${usable.join(', ') || 'none'}.`;
  if (place.protocols === undefined && usable.length === 0) {
    report([], {
      message: `has no protocol that upstream '${upstream.name}' serves`,
      remedy: `Add ${fitting.join(' or ')} to that upstream.`,
    });
  }
  for (const [index, protocol] of (place.protocols ?? []).entries()) {
    if (!fitting.includes(protocol))
      report(['protocols', index], { message: `is '${protocol}', which isn't supported for kind '${entry.kind}'`, remedy });
    else if (!usable.includes(protocol))
      report(['protocols', index], { message: `is '${protocol}', which upstream '${upstream.name}' doesn't serve`, remedy });
  }
}

type Entry = NonNullable<FileSettings['models']>[number];
type Protocol = (typeof protocols)[number];
type Quirks = Extract<NamedUpstream, { kind: 'openai-compatible' }>['quirks'];
type Upstreams = Readonly<Record<string, NamedUpstream>>;

/** A candidate of a model, with defaults filled in. */
interface CandidateSettings {
  upstream: string;
  upstreamModel: string;
  protocols: Protocol[];
  priority: number;
  weight: number;
  /** Prices that the provider bills. Undefined if unknown. */
  cost?: Prices;
  quirks?: Quirks;
  /** Set if the cloud doesn't fetch images and files by URL, so they must be inline. */
  inlineOnly?: true;
  /** Set if prompts are marked for caching even if the caller marked nothing. */
  isCached?: true;
  /** Set if the upstream serves both OpenAI protocols and it's known which calls the model rejects over chat. */
  chatRejects?: ChatRejection;
  /** Undefined if the body is translated, because the field rules don't apply then. */
  fields?: FieldRules;
}

/** A candidate as written in the file, and its path within the model. */
interface WrittenPlace {
  readonly upstream: string | undefined;
  readonly upstreamModel: string | undefined;
  readonly protocols: readonly Protocol[] | undefined;
  readonly path: readonly (string | number)[];
}

const protocolsOfKind: Readonly<Record<Entry['kind'], readonly Protocol[]>> = {
  text: ['chat', 'responses', 'anthropic', 'gemini', 'converse'],
  image: ['images'],
};

/** Returns the candidates, or the model itself as the only candidate if it has none. */
function placesOf(entry: Entry): readonly WrittenPlace[] {
  const { candidates, upstream, upstreamModel, protocols } = entry;
  if (candidates === undefined) return [{ upstream, upstreamModel, protocols, path: [] }];
  return candidates.map((candidate, index) => ({
    upstream: candidate.upstream,
    upstreamModel: candidate.upstreamModel,
    protocols: candidate.protocols,
    path: ['candidates', index],
  }));
}

/** Returns the candidates sorted by priority. */
function completeCandidates(entry: Entry, upstreams: Upstreams): CandidateSettings[] {
  const { id, kind, candidates, upstream, upstreamModel, protocols, chatRejects } = entry;
  const first = Object.keys(upstreams)[0] ?? '';
  const alone = { upstream: upstream ?? first, upstreamModel, protocols, priority: 1, weight: 1 };
  return (candidates ?? [alone])
    .toSorted((one, other) => one.priority - other.priority)
    .map((written) => {
      const place = upstreams[written.upstream];
      const served: readonly Protocol[] = place?.protocols ?? [];
      return {
        upstream: written.upstream,
        upstreamModel: written.upstreamModel ?? id,
        protocols: written.protocols ?? protocolsOfKind[kind].filter((protocol) => served.includes(protocol)),
        priority: written.priority,
        weight: written.weight,
        ...('cost' in written && written.cost !== undefined && { cost: written.cost }),
        ...(place?.kind === 'openai-compatible' && { quirks: place.quirks }),
        ...(place && isInlineOnly(place) && { inlineOnly: true as const }),
        ...(place && 'promptCaching' in place && place.promptCaching === 'auto' && { isCached: true as const }),
        ...fieldsOf(place),
        ...(place?.kind === 'openai' && rejectsOf(chatRejects ?? knownRejection(written.upstreamModel ?? id) ?? knownRejection(id))),
      };
    });
}

const rejectsOf = (refuses: ChatRejection | undefined) => (refuses === undefined ? {} : { chatRejects: refuses });

function fieldsOf(place: NamedUpstream | undefined): Pick<CandidateSettings, 'fields'> {
  if (place?.kind === 'openai') return { fields: { ...place.fields, isOpen: true } };
  // The simulator doesn't use unknown fields, so they're reported as ignored, as with a provider.
  if (place?.kind === 'simulator') return { fields: { allow: [], deny: [] } };
  if (place?.kind !== 'openai-compatible') return {};
  const { allow, deny } = place.fields;
  return { fields: { allow: [...ofCompatible, ...allow], deny } };
}

type UpstreamSettings = FileSettings['upstreams'][string];
/** An upstream with its name. */
export type NamedUpstream = ((HttpSettings & { baseUrl: string }) | Extract<UpstreamSettings, { kind: 'simulator' }>) & { name: string };

interface UpstreamSources {
  readonly configured: FileSettings['upstreams'];
  readonly env: Environment;
  readonly server: FileSettings['server'];
  readonly document: ConfigDocument;
}

interface Completed<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

export function completeUpstreams({ configured, env, server, document }: UpstreamSources): Completed<Record<string, NamedUpstream>> {
  const fromFile = Object.keys(configured).length > 0;
  const implied = fromFile ? { value: configured, problems: [] } : impliedUpstream(env);
  const where = (path: Path): string =>
    fromFile ? document.locate(path) : `environment variable ${path.at(-1) === 'baseUrl' ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY'}`;
  const problems = [...implied.problems];
  const named = Object.entries(implied.value).map(([name, written]): [string, NamedUpstream] => {
    if (written.kind === 'simulator') return [name, { name, ...written }];
    const { upstream, faults } = settleCloud(written, !fromFile || isWritten(document, ['upstreams', name, 'baseUrl']));
    const found = faults.length > 0 ? faults : faultsOf(upstream, server);
    for (const { path, message, remedy } of found) {
      const whole = ['upstreams', name, ...path];
      problems.push({ where: where(whole), key: pathText(whole), message, remedy });
    }
    return [name, { name, ...upstream }];
  });
  return { value: Object.fromEntries(named), problems };
}

/** Whether the file itself sets this key, so that its value isn't a default. */
function isWritten({ value }: ConfigDocument, path: readonly string[]): boolean {
  return path.reduce<unknown>((part, key) => (isFields(part) ? part[key] : undefined), value) !== undefined;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function faultsOf(upstream: HttpSettings & { readonly baseUrl: string }, server: FileSettings['server']): Fault[] {
  return [
    ...(isOwnAddress(upstream.baseUrl, server) ? [{ path: ['baseUrl'], ...ownAddress }] : []),
    ...(upstream.apiKey !== undefined && upstream.apiKeys !== undefined ? [{ path: ['apiKeys'], ...twoKeys }] : []),
  ];
}

const twoKeys = { message: "can't be combined with apiKey", remedy: 'Add that key to apiKeys, and remove apiKey.' };

function impliedUpstream(env: Environment): Completed<FileSettings['upstreams']> {
  const written =
    env.OPENAI_API_KEY === undefined || env.OPENAI_API_KEY === ''
      ? { simulator: { kind: 'simulator' } }
      : { openai: { kind: 'openai', apiKey: env.OPENAI_API_KEY, ...(env.OPENAI_BASE_URL && { baseUrl: env.OPENAI_BASE_URL }) } };
  const parsed = ConfigFile.shape.upstreams.safeParse(written);
  if (parsed.success) return { value: parsed.data, problems: [] };
  const problems = parsed.error.issues.map((issue) => ({
    where: `environment variable ${issue.path.at(-1) === 'apiKey' ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL'}`,
    key: '',
    ...issueFault(issue, ['upstreams', ...issue.path], { upstreams: written }),
  }));
  return { value: {}, problems };
}

/** If OPENAI_BASE_URL is set for clients of the gateway, the gateway reads it, too, and would call itself in an endless loop. */
const ownAddress = { message: 'is the address of this gateway', remedy: 'Set the address of the upstream, or unset the variable.' };

function isOwnAddress(baseUrl: string, server: FileSettings['server']): boolean {
  const url = new URL(baseUrl);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const hosts = ['127.0.0.1', 'localhost', '[::1]', server.host];
  return server.port !== 0 && port === server.port && hosts.includes(url.hostname);
}

type PriceSetting = NonNullable<Entry['prices']>;

interface Facts {
  /** Names of all groups. */
  readonly groups: readonly string[];
  /** All models, including the standard ones. */
  readonly models: readonly Pick<Entry, 'id' | 'kind'>[];
  readonly document: ConfigDocument;
}
type ReportMoney = (path: Path, message: string, remedy: string) => void;

/** Name of the price list that consists of the models' own prices. */
const STANDARD = 'standard';

export function findMoneyProblems(settings: FileSettings, { groups, models, document }: Facts): Problem[] {
  const problems: Problem[] = [];
  const report: ReportMoney = (path, message, remedy) => {
    problems.push({ where: document.locate(path), key: pathText(path), message, remedy });
  };
  const entries = settings.models ?? [];
  for (const [index, { id, kind, prices, groups: named = [] }] of entries.entries()) {
    const path = ['models', index, 'prices'];
    if (prices === undefined && settings.billing === 'enforce') {
      report(
        path,
        `are missing, so '${id}' can't be called`,
        `Set prices such as ${example[kind]}, set them to free, or set billing: off.`,
      );
    }
    if (prices !== undefined && !fits(kind, prices))
      report(path, `can't be used for a model of kind '${kind}'`, `Set prices such as ${example[kind]}.`);
    for (const [at, name] of named.entries())
      if (!groups.includes(name))
        report(['models', index, 'groups', at], "isn't a configured group", `Configured groups: ${groups.join(', ')}.`);
  }
  checkPriceLists(settings, models, report);
  const lists = [STANDARD, ...Object.keys(settings.priceLists)];
  for (const [name, { priceList }] of Object.entries(settings.plans))
    if (!lists.includes(priceList))
      report(['plans', name, 'priceList'], "isn't a configured price list", `Configured price lists: ${lists.join(', ')}.`);
  return problems;
}

/** A typo in an id would silently leave the model at its standard price. */
function checkPriceLists({ priceLists }: FileSettings, models: Facts['models'], report: ReportMoney): void {
  for (const [name, byModel] of Object.entries(priceLists)) {
    if (name === STANDARD) report(['priceLists', name], 'is reserved for the prices of the models', 'Set these prices on the models.');
    for (const [id, prices] of Object.entries(byModel)) {
      const path = ['priceLists', name, id];
      const model = models.find((one) => one.id === id);
      if (!model) report(path, "isn't a configured model", `Configured models: ${models.map((one) => one.id).join(', ')}.`);
      else if (!fits(model.kind, prices))
        report(path, `can't be used for a model of kind '${model.kind}'`, `Set prices such as ${example[model.kind]}.`);
    }
  }
}

const example: Readonly<Record<Entry['kind'], string>> = {
  text: "{ input: '1.25', output: '10' }",
  image: "{ images: { default: '0.25' } }",
};

function fits(kind: Entry['kind'], prices: PriceSetting): boolean {
  return prices === 'free' || 'images' in prices === (kind === 'image');
}
