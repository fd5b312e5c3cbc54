/** The models with defaults filled in and checked against their upstreams; the standard catalog when the file has none. */
import { type AcceptedValues, acceptedByAny } from './accepted-values.ts';
import {
  type CandidateSettings,
  completeCandidates,
  type Entry,
  type Protocol,
  placesOf,
  protocolsOfKind,
  type WrittenPlace,
} from './candidates.ts';
import { modelFault } from './clouds/complete.ts';
import type { ConfigDocument } from './document.ts';
import { type Path, type Problem, pathText } from './problems.ts';
import type { FileSettings } from './schema.ts';
import { standardModels } from './standard-models.ts';
import type { Completed, NamedUpstream } from './upstreams.ts';

/** Sizes that only the operator knows; without them they stay unknown. */
type Sizes = Pick<Entry, 'maxOutputTokens' | 'contextWindow' | 'prices'>;
/** A model with all defaults. Its upstream fields are those of the first candidate; its protocols are those of all candidates. */
export type ModelSettings = Required<Omit<Entry, keyof Sizes | 'candidates'>> &
  Sizes &
  Pick<CandidateSettings, 'quirks' | 'fields' | 'inlineOnly'> & {
    candidates: CandidateSettings[];
    /** Values of vendors that some candidate takes. */
    accepts?: AcceptedValues;
  };

/** `created` needs a value; a fixed one keeps the list the same after a restart. */
const STANDARD_CREATED = 1_790_000_000;

interface Sources {
  readonly configured: FileSettings['models'];
  readonly upstreams: Readonly<Record<string, NamedUpstream>>;
  readonly document: ConfigDocument;
  /** Names of all groups: a model without `groups` is for all of them. */
  readonly groups: readonly string[];
}

export function completeModels({ configured, upstreams, document, groups }: Sources): Completed<ModelSettings[]> {
  const problems: Problem[] = [];
  const complete = (entry: Entry): ModelSettings => completeModel(entry, upstreams, groups);
  if (configured === undefined) return { value: standardModels.map(complete).filter((model) => model.protocols.length > 0), problems };
  for (const [index, entry] of configured.entries()) {
    const report = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>): void => {
      const whole = ['models', index, ...path];
      problems.push({ where: document.locate(whole), key: pathText(whole), ...fault });
    };
    const first = configured.findIndex((other) => other.id === entry.id);
    if (first !== index) report(['id'], { message: `is the id of models[${first}] too`, remedy: 'Give each model a different id.' });
    checkPlaces(entry, upstreams, report);
  }
  return { value: configured.map(complete), problems };
}

function completeModel(entry: Entry, upstreams: Sources['upstreams'], groups: Sources['groups']): ModelSettings {
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
  };
}

type Report = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>) => void;

function checkPlaces(entry: Entry, upstreams: Sources['upstreams'], report: Report): void {
  const own = (['upstream', 'upstreamModel', 'protocols'] as const).filter((name) => entry[name] !== undefined);
  if (entry.candidates !== undefined && own.length > 0) {
    report([own[0] ?? ''], {
      message: 'is set beside candidates, each of which has its own',
      remedy: 'Move it into the candidates, or remove the candidates.',
    });
  }
  for (const place of placesOf(entry)) {
    checkUpstream(entry, place, upstreams, (path, fault) => report([...place.path, ...path], fault));
  }
}

function checkUpstream(entry: Entry, place: WrittenPlace, upstreams: Sources['upstreams'], report: Report): void {
  const names = Object.keys(upstreams);
  const upstream = upstreams[place.upstream ?? names[0] ?? ''];
  if (upstream === undefined) {
    report(['upstream'], { message: 'names an upstream that is not configured', remedy: `Configured: ${names.join(', ')}.` });
    return;
  }
  const fault = modelFault(upstream, place.upstreamModel ?? entry.id);
  if (fault) report(['upstreamModel'], fault);
  const fitting = protocolsOfKind[entry.kind];
  const served: readonly Protocol[] = upstream.protocols;
  const usable = fitting.filter((protocol) => served.includes(protocol));
  const remedy = `A model of kind ${entry.kind} on upstream ${upstream.name} can have: ${usable.join(', ') || 'none'}.`;
  if (place.protocols === undefined && usable.length === 0) {
    report([], {
      message: `has no protocol that its upstream ${upstream.name} serves`,
      remedy: `Add ${fitting.join(' or ')} to that upstream.`,
    });
  }
  for (const [index, protocol] of (place.protocols ?? []).entries()) {
    if (!fitting.includes(protocol)) report(['protocols', index], { message: `${protocol} does not fit kind ${entry.kind}`, remedy });
    else if (!usable.includes(protocol))
      report(['protocols', index], { message: `${protocol} is not served by upstream ${upstream.name}`, remedy });
  }
}
