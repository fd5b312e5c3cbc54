/** Modelgate against itself: a translated call beside the like one that is handed on, a governed call beside a plain one. */
import { fullSpeedEvents } from './answers.ts';
import { model, streamedChat, streamedResponses, toolsChat, toolsResponses, vendorModels } from './payloads.ts';
import { type Asked, chatPath, chatText, responsesPath, responseText, scenarios, slowScenario, smallScenario } from './scenarios.ts';
import type { ServerName } from './servers.ts';

export interface Side {
  readonly name: string;
  readonly server: Exclude<ServerName, 'node:http'>;
  readonly asked: Asked;
}

export interface Comparison {
  readonly name: string;
  /** `--only` takes it for all of its comparisons. */
  readonly group: 'translated' | 'governed' | 'logged' | 'clouds';
  readonly title: string;
  /** What the others are held against. */
  readonly base: Side;
  readonly others: readonly Side[];
  readonly concurrency: number;
  /** Calls that begin in a second; left out: each caller asks again as soon as it has its answer. */
  readonly perSecond?: number;
  /** The most that CPU per unit may be, as a multiple of the base. */
  readonly cpuTarget: number;
  /** The least that the throughput may be, as a part of that of the base. */
  readonly throughputTarget?: number;
}

type Protocol = keyof typeof vendorModels;
type Caller = Extract<Protocol, 'chat' | 'responses'>;
type Form = 'stream' | 'json';

const bodies = {
  stream: { chat: streamedChat, responses: streamedResponses },
  json: { chat: toolsChat, responses: toolsResponses },
} as const satisfies Record<Form, unknown>;
const paths = { chat: chatPath, responses: responsesPath } as const;
const readers = { chat: chatText, responses: responseText } as const;

function asked(form: Form, caller: Caller, vendor: Protocol): Asked {
  const isTranslated = caller !== vendor;
  const body = { ...bodies[form][caller], model: isTranslated ? vendorModels[vendor] : model };
  const about = { name: `${caller} → ${vendor}`, title: form, path: paths[caller], body, isTranslated };
  return form === 'json'
    ? { kind: 'json', ...about, readText: readers[caller] }
    : { kind: 'stream', ...about, caller, events: fullSpeedEvents };
}

function side(form: Form, caller: Caller, vendor: Protocol): Side {
  return { name: `${caller} → ${vendor}`, server: 'modelgate', asked: asked(form, caller, vendor) };
}

/** Held against the like pair of the same vendor; where there is none, against chat that is handed on. */
function translated(form: Form, vendor: Protocol): Comparison {
  const like = vendor === 'responses' ? 'responses' : 'chat';
  const callers = (['chat', 'responses'] as const).filter((caller) => caller !== vendor);
  return {
    name: `${form}-${vendor}`,
    group: 'translated',
    title: `${form === 'json' ? '20 KB with tools' : 'stream'}, ${vendor} vendor`,
    base: side(form, like, like),
    others: callers.map((caller) => side(form, caller, vendor)),
    concurrency: 16,
    cpuTarget: form === 'json' ? 2 : 3,
  };
}

const sidesOf = (asked: Asked): Pick<Comparison, 'base' | 'others'> => ({
  base: { name: 'plain', server: 'modelgate', asked },
  others: [{ name: 'governed', server: 'governed', asked }],
});

/** One at a time has no commit to share with anybody; what that may cost is in decision 0018. */
function governed(scenario: Asked, concurrency: number): Comparison {
  const targets = concurrency === 1 ? { cpuTarget: 2, throughputTarget: 0.5 } : { cpuTarget: 1.4, throughputTarget: 0.75 };
  return {
    name: `${scenario.name}-${concurrency}`,
    group: 'governed',
    title: `${scenario.title}, ${concurrency} at a time`,
    concurrency,
    ...sidesOf(scenario),
    ...targets,
  };
}

/** Callers who know nothing of each other. */
function steady(perSecond: number): Comparison {
  return {
    name: `steady-${perSecond}`,
    group: 'governed',
    title: `${slowScenario.title}, ${perSecond} a second`,
    perSecond,
    ...sidesOf(slowScenario),
    concurrency: perSecond,
    cpuTarget: 1.4,
  };
}

/** What the request log costs. CPU is of the whole process: most of it is the thread that writes, not the event loop. */
function logged(concurrency: number): Comparison {
  return {
    name: `logged-${concurrency}`,
    group: 'logged',
    title: `governed, with the request log, ${concurrency} at a time`,
    concurrency,
    base: { name: 'without', server: 'unlogged', asked: smallScenario },
    others: [{ name: 'with', server: 'governed', asked: smallScenario }],
    cpuTarget: 1.15,
    throughputTarget: 0.9,
  };
}

/** The same dialect with and without signatures and AWS's framing. */
function signed(form: Form): Comparison {
  const sideOver = (vendor: Protocol): Side => ({ ...side(form, 'chat', vendor), server: 'cloud' });
  return {
    name: `${form}-bedrock`,
    group: 'clouds',
    title: form === 'json' ? '20 KB with tools, signed' : 'stream, signed, in the framing of AWS',
    base: sideOver('anthropic'),
    others: [sideOver('bedrock')],
    concurrency: 16,
    cpuTarget: 1.3,
  };
}

const protocols: readonly Protocol[] = ['chat', 'responses', 'anthropic', 'gemini'];

export const comparisons: readonly Comparison[] = [
  ...(['stream', 'json'] as const).flatMap((form) => protocols.map((vendor) => translated(form, vendor))),
  ...scenarios.filter(({ kind }) => kind !== 'open').flatMap((scenario) => [1, 32].map((concurrency) => governed(scenario, concurrency))),
  ...[1_000, 2_000].map(steady),
  ...[1, 32].map(logged),
  ...(['stream', 'json'] as const).map(signed),
];
