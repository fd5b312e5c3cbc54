/** Fills in the defaults of models and checks them against their upstreams. Uses the standard models if the file has none. Finds unused upstreams. */

import { type AcceptedValues, mergeAccepted } from './accepted-values.ts';
import { findModelFault, isInlineOnly } from './clouds/resolve-cloud.ts';
import type { NamedUpstream, WithProblems } from './complete-upstreams.ts';
import type { ConfigDocument } from './config-document.ts';
import { formatPath, type Path, type Problem } from './config-error.ts';
import { compatibleFields, type FieldRules } from './field-rules.ts';
import { findImageRules, type ImageRules } from './image-rules.ts';
import { type ChatRejection, findChatRejection, findModelRules, type ModelRules } from './model-rules.ts';
import type { FileSettings } from './schema.ts';
import type { Prices } from './schema-models.ts';
import type { protocols } from './schema-upstreams.ts';
import { standardModels } from './standard-models.ts';

/** Optional sizes and prices, which have no default. */
type OptionalSettings = Pick<Entry, 'maxOutputTokens' | 'contextWindow' | 'capabilities' | 'prices'>;
/** A model with all defaults. Its upstream fields come from the first candidate, and its protocols from all candidates. */
export type ModelSettings = Required<Omit<Entry, keyof OptionalSettings | 'candidates' | 'responsesOnly' | 'images' | 'accepts'>> &
  OptionalSettings &
  Pick<CandidateSettings, 'quirks' | 'fields' | 'inlineOnly' | 'isCached' | 'isVertex' | 'compacts' | 'responsesOnly' | 'rules'> & {
    candidates: CandidateSettings[];
    /** Values that the model accepts. Set only for image models. */
    images?: ImageRules;
    /** The provider's own values that at least one candidate accepts. */
    accepts?: AcceptedValues;
  };

/** `created` needs a value. A fixed value keeps the list the same after a restart. */
const DEFAULT_CREATED = 1_790_000_000;

interface ModelSources {
  readonly configured: FileSettings['models'];
  readonly upstreams: Readonly<Record<string, NamedUpstream>>;
  readonly document: ConfigDocument;
  /** Names of all groups. A model without `groups` is available to all of them. */
  readonly groups: readonly string[];
}

export function completeModels({ configured, upstreams, document, groups }: ModelSources): WithProblems<ModelSettings[]> {
  const problems: Problem[] = [];
  const completeEntry = (entry: Entry): ModelSettings => completeModel(entry, upstreams, groups);
  if (configured === undefined) {
    const [firstUpstream] = Object.values(upstreams);
    if (firstUpstream !== undefined && firstUpstream.kind !== 'openai' && firstUpstream.kind !== 'simulator')
      problems.push(toMissingModelsProblem(firstUpstream, document));
    return { value: standardModels.map(completeEntry).filter((model) => model.protocols.length > 0), problems };
  }
  for (const [index, entry] of configured.entries()) {
    const report = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>): void => {
      const fullPath = ['models', index, ...path];
      problems.push({ where: document.locate(fullPath), key: formatPath(fullPath), ...fault });
    };
    const firstIndex = configured.findIndex((other) => other.id === entry.id);
    if (firstIndex !== index)
      report(['id'], { message: `is also the ID of models[${firstIndex}]`, remedy: 'Give each model a different id.' });
    checkCandidates(entry, upstreams, report);
  }
  return { value: configured.map(completeEntry), problems };
}

/** Reports that the models are missing: the standard models are OpenAI's. */
function toMissingModelsProblem({ name }: NamedUpstream, document: ConfigDocument): Problem {
  return {
    where: document.locate(['upstreams', name]),
    key: 'models',
    message: `is missing, and upstream '${name}' doesn't serve the standard models, such as ${standardModels[0]?.id}`,
    remedy: `Add the models that it serves. To list them with prices, run modelgate model suggest --upstream ${name}.`,
  };
}

interface ServedModels {
  readonly models: readonly { readonly candidates: readonly { readonly upstream: string }[] }[];
  readonly upstreams: Readonly<Record<string, unknown>>;
}

/** Returns the names of upstreams that no model uses. */
export function findUnusedUpstreams({ models, upstreams }: ServedModels): readonly string[] {
  const usedNames = new Set(models.flatMap(({ candidates }) => candidates.map(({ upstream }) => upstream)));
  return Object.keys(upstreams).filter((name) => !usedNames.has(name));
}

function completeModel(entry: Entry, upstreams: ModelSources['upstreams'], groups: ModelSources['groups']): ModelSettings {
  const candidates = completeCandidates(entry, upstreams);
  const [first] = candidates;
  const { maxOutputTokens, contextWindow, capabilities, prices } = entry;
  const accepts = mergeAccepted(candidates);
  return {
    id: entry.id,
    kind: entry.kind,
    ownedBy: entry.ownedBy ?? first?.upstream ?? '',
    created: entry.created ?? DEFAULT_CREATED,
    upstream: first?.upstream ?? '',
    upstreamModel: first?.upstreamModel ?? entry.id,
    protocols: [...new Set(candidates.flatMap(({ protocols }) => protocols))],
    groups: entry.groups ?? [...groups],
    limits: entry.limits,
    candidates,
    ...(prices !== undefined && { prices }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(capabilities !== undefined && { capabilities }),
    ...(first?.quirks !== undefined && { quirks: first.quirks }),
    ...(first?.fields !== undefined && { fields: first.fields }),
    ...(first?.inlineOnly && { inlineOnly: true }),
    ...(accepts !== undefined && { accepts }),
    ...(entry.kind === 'image' && {
      images: { ...findImageRules(first?.upstreamModel ?? entry.id), ...findImageRules(entry.id), ...entry.images },
    }),
  };
}

type ReportFault = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>) => void;

function checkCandidates(entry: Entry, upstreams: ModelSources['upstreams'], report: ReportFault): void {
  const ownFields = (['upstream', 'upstreamModel', 'protocols'] as const).filter((name) => entry[name] !== undefined);
  if (entry.candidates !== undefined && ownFields.length > 0) {
    report([ownFields[0] ?? ''], {
      message: "can't be combined with candidates",
      remedy: 'Move it into the candidates, or remove the candidates.',
    });
  }
  if (entry.candidates === undefined) checkUpstream(entry, entry, upstreams, report);
  for (const [index, candidate] of entry.candidates?.entries() ?? [])
    checkUpstream(entry, candidate, upstreams, (path, fault) => report(['candidates', index, ...path], fault));
}

function checkUpstream(entry: Entry, candidate: CandidateEntry, upstreams: ModelSources['upstreams'], report: ReportFault): void {
  const names = Object.keys(upstreams);
  const upstream = upstreams[candidate.upstream ?? names[0] ?? ''];
  if (upstream === undefined) {
    report(['upstream'], { message: "isn't a configured upstream", remedy: `Configured upstreams: ${names.join(', ')}.` });
    return;
  }
  const fault = findModelFault(upstream, candidate.upstreamModel ?? entry.id);
  if (fault) report(['upstreamModel'], fault);
  const kindProtocols = protocolsByKind[entry.kind];
  const servedProtocols: readonly Protocol[] = upstream.protocols;
  const usableProtocols = kindProtocols.filter((protocol) => servedProtocols.includes(protocol));
  const remedy = `Protocols of kind '${entry.kind}' on upstream '${upstream.name}': ${usableProtocols.join(', ') || 'none'}.`;
  if (candidate.protocols === undefined && usableProtocols.length === 0) {
    report([], {
      message: `has no protocol that upstream '${upstream.name}' serves`,
      remedy:
        entry.kind === 'image' && upstream.kind !== 'openai'
          ? `Only upstreams of kind openai serve images; '${upstream.name}' is of kind ${upstream.kind}.`
          : `Add ${kindProtocols.join(' or ')} to that upstream.`,
    });
  }
  for (const [index, protocol] of (candidate.protocols ?? []).entries()) {
    if (!kindProtocols.includes(protocol))
      report(['protocols', index], { message: `is '${protocol}', which isn't supported for kind '${entry.kind}'`, remedy });
    else if (!usableProtocols.includes(protocol))
      report(['protocols', index], { message: `is '${protocol}', which upstream '${upstream.name}' doesn't serve`, remedy });
  }
}

export type Entry = NonNullable<FileSettings['models']>[number];
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
  /** Set if Vertex AI serves Gemini. It fetches more URLs than the Gemini API. */
  isVertex?: true;
  /** Set if the upstream compacts conversations itself. Otherwise, the gateway asks the model for a summary. */
  compacts?: true;
  /** Calls that the model rejects over chat. Set only if they're known and the upstream is of kind `openai`. */
  responsesOnly?: ChatRejection;
  /** Values that the model accepts. Undefined if unknown. */
  rules?: ModelRules;
  /** Undefined if the body is translated, because the field rules don't apply then. */
  fields?: FieldRules;
}

/** A candidate as written in the file. */
type CandidateEntry = Pick<Entry, 'upstream' | 'upstreamModel' | 'protocols'>;

const protocolsByKind: Readonly<Record<Entry['kind'], readonly Protocol[]>> = {
  text: ['chat', 'responses', 'anthropic', 'gemini', 'converse'],
  image: ['images'],
};

/** Returns the candidates sorted by priority. */
function completeCandidates(entry: Entry, upstreams: Upstreams): CandidateSettings[] {
  const { id, kind, candidates, upstream, upstreamModel, protocols, responsesOnly, accepts } = entry;
  const firstUpstream = Object.keys(upstreams)[0] ?? '';
  const onlyCandidate = { upstream: upstream ?? firstUpstream, upstreamModel, protocols, priority: 1, weight: 1 };
  return (candidates ?? [onlyCandidate])
    .toSorted((one, other) => one.priority - other.priority)
    .map((written) => {
      const namedUpstream = upstreams[written.upstream];
      const servedProtocols: readonly Protocol[] = namedUpstream?.protocols ?? [];
      return {
        upstream: written.upstream,
        upstreamModel: written.upstreamModel ?? id,
        protocols: written.protocols ?? protocolsByKind[kind].filter((protocol) => servedProtocols.includes(protocol)),
        priority: written.priority,
        weight: written.weight,
        ...('cost' in written && written.cost !== undefined && { cost: written.cost }),
        ...(namedUpstream?.kind === 'openai-compatible' && { quirks: namedUpstream.quirks }),
        ...(namedUpstream && isInlineOnly(namedUpstream) && { inlineOnly: true as const }),
        ...(namedUpstream?.kind === 'openai' && { compacts: true as const }),
        ...(namedUpstream?.kind === 'gemini' && namedUpstream.google && { isVertex: true as const }),
        ...(namedUpstream && 'promptCaching' in namedUpstream && namedUpstream.promptCaching === 'auto' && { isCached: true as const }),
        ...toFieldRules(namedUpstream),
        ...(namedUpstream && findRules(namedUpstream, [written.upstreamModel ?? id, id], accepts)),
        ...(namedUpstream?.kind === 'openai' &&
          toResponsesOnly(responsesOnly ?? findChatRejection(written.upstreamModel ?? id) ?? findChatRejection(id))),
      };
    });
}

/** Returns the rules of the first known name, overridden by the operator's rules. */
function findRules({ kind }: NamedUpstream, names: readonly string[], accepts: ModelRules | undefined): { rules?: ModelRules } {
  const knownRules = kind === 'openai' || kind === 'simulator' ? undefined : names.map(findModelRules).find((rules) => rules !== undefined);
  return knownRules === undefined && accepts === undefined ? {} : { rules: { ...knownRules, ...accepts } };
}

const toResponsesOnly = (rejection: ChatRejection | undefined) => (rejection === undefined ? {} : { responsesOnly: rejection });

function toFieldRules(upstream: NamedUpstream | undefined): Pick<CandidateSettings, 'fields'> {
  if (upstream?.kind === 'openai') return { fields: { ...upstream.fields, isOpen: true } };
  // The simulator doesn't use unknown fields, so they're reported as ignored, as with a provider.
  if (upstream?.kind === 'simulator') return { fields: { allow: [], deny: [] } };
  if (upstream?.kind !== 'openai-compatible') return {};
  const { allow, deny } = upstream.fields;
  return { fields: { allow: [...compatibleFields, ...allow], deny } };
}
