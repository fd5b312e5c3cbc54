/** The models as they run: every entry spelled out and held against its upstream; the standard catalog where the file has none. */
import type { ConfigDocument } from './document.ts';
import { type Path, type Problem, pathText } from './problems.ts';
import type { FileSettings } from './schema.ts';
import { standardModels } from './standard-models.ts';
import type { protocols } from './upstream-schema.ts';
import type { Completed, NamedUpstream } from './upstreams.ts';

type Entry = NonNullable<FileSettings['models']>[number];
type Quirks = Extract<NamedUpstream, { kind: 'openai-compatible' }>['quirks'];
/** Sizes that nobody but the operator knows: left out, they stay unknown. */
type Sizes = Pick<Entry, 'maxOutputTokens' | 'contextWindow' | 'prices'>;
/** A model with nothing left out that the gateway can tell by itself. */
export type ModelSettings = Required<Omit<Entry, keyof Sizes>> & Sizes & { quirks?: Quirks };
type Protocol = (typeof protocols)[number];

/** `created` has to be some time; a fixed one keeps the list equal over restarts. */
const standardCreated = 1_790_000_000;

const protocolsOfKind: Readonly<Record<Entry['kind'], readonly Protocol[]>> = {
  text: ['chat', 'responses', 'anthropic', 'gemini'],
  image: ['images'],
};

interface Sources {
  readonly configured: FileSettings['models'];
  readonly upstreams: Readonly<Record<string, NamedUpstream>>;
  readonly document: ConfigDocument;
  /** Names of all groups: whoever names none is for all of them. */
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
    if (first !== index) report(['id'], { message: `is the id of models[${first}] too`, remedy: 'Give each model an id of its own.' });
    checkUpstream(entry, upstreams, report);
  }
  return { value: configured.map(complete), problems };
}

function completeModel(entry: Entry, upstreams: Sources['upstreams'], groups: Sources['groups']): ModelSettings {
  const upstream = entry.upstream ?? Object.keys(upstreams)[0] ?? '';
  const place = upstreams[upstream];
  const served: readonly Protocol[] = place?.protocols ?? [];
  const { maxOutputTokens, contextWindow, prices } = entry;
  return {
    id: entry.id,
    kind: entry.kind,
    ownedBy: entry.ownedBy ?? upstream,
    created: entry.created ?? standardCreated,
    upstream,
    upstreamModel: entry.upstreamModel ?? entry.id,
    protocols: entry.protocols ?? protocolsOfKind[entry.kind].filter((protocol) => served.includes(protocol)),
    groups: entry.groups ?? [...groups],
    limits: entry.limits,
    ...(prices !== undefined && { prices }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(place?.kind === 'openai-compatible' && { quirks: place.quirks }),
  };
}

type Report = (path: Path, fault: Pick<Problem, 'message' | 'remedy'>) => void;

function checkUpstream(entry: Entry, upstreams: Sources['upstreams'], report: Report): void {
  const names = Object.keys(upstreams);
  const upstream = upstreams[entry.upstream ?? names[0] ?? ''];
  if (upstream === undefined) {
    report(['upstream'], { message: 'names an upstream that is not configured', remedy: `Configured: ${names.join(', ')}.` });
    return;
  }
  const fitting = protocolsOfKind[entry.kind];
  const served: readonly Protocol[] = upstream.protocols;
  const usable = fitting.filter((protocol) => served.includes(protocol));
  const remedy = `A model of kind ${entry.kind} on upstream ${upstream.name} can have: ${usable.join(', ') || 'none'}.`;
  if (entry.protocols === undefined && usable.length === 0) {
    report([], {
      message: `has no protocol that its upstream ${upstream.name} serves`,
      remedy: `Add ${fitting.join(' or ')} to that upstream.`,
    });
  }
  for (const [index, protocol] of (entry.protocols ?? []).entries()) {
    if (!fitting.includes(protocol)) report(['protocols', index], { message: `${protocol} does not fit kind ${entry.kind}`, remedy });
    else if (!usable.includes(protocol))
      report(['protocols', index], { message: `${protocol} is not served by upstream ${upstream.name}`, remedy });
  }
}
