/** The scenarios of the benchmark, with what is right in each and how much of it Modelgate may cost. */
import { answerText, fullSpeedEvents, pacedEvents } from './answers.ts';
import { codexTurn, pacedChat, slowChat, smallChat, streamedChat, toolsChat } from './payloads.ts';

interface Common {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Set where the vendor is asked in another protocol, so that no field arrives as it was sent. */
  readonly isTranslated?: boolean;
}

export interface JsonAsked extends Common {
  readonly kind: 'json';
  /** The text of a right answer, or undefined. */
  readText(answer: unknown): unknown;
}

export interface StreamAsked extends Common {
  readonly kind: 'stream' | 'open';
  /** The protocol that the events are read in. */
  readonly caller: 'chat' | 'responses';
  /** Events with content in each stream. */
  readonly events: number;
}

/** What is asked of a server again and again, and what is right. */
export type Asked = JsonAsked | StreamAsked;

/** What every server is asked. */
export type Scenario = Asked & {
  /** The most that CPU per unit may be, as a multiple of bare Fastify + undici. */
  readonly cpuTarget: number;
};

/** Added p99, and memory at the open streams, as multiples of bare Fastify + undici. */
export const latencyTarget = 1.5;
export const memoryTarget = 1.3;
export const rightText = answerText;
/** Notes of the client to itself, in no public schema of a vendor: a gateway may keep them. */
export const keptFields: readonly string[] = ['client_metadata'];

export const chatPath = '/v1/chat/completions';
export const responsesPath = '/v1/responses';

// `as`: the shapes are those of `answers.ts`; a wrong answer makes these throw or yield another text, and both count as wrong.
export const chatText = (answer: unknown): unknown =>
  (answer as { choices: { message: { content: unknown } }[] }).choices[0]?.message.content;
export const responseText = (answer: unknown): unknown =>
  (answer as { output: { content: { text: unknown }[] }[] }).output[0]?.content[0]?.text;

/** Over a vendor who takes its time: what a gateway lives with. */
export const slowScenario: JsonAsked = {
  kind: 'json',
  name: 'steady',
  title: 'chat, 50 to 250 ms',
  path: chatPath,
  body: slowChat,
  readText: chatText,
};

export const smallScenario = {
  kind: 'json',
  name: 'small',
  title: 'chat, 1 KB answer',
  path: chatPath,
  body: smallChat,
  cpuTarget: 1.4,
  readText: chatText,
} as const satisfies Scenario;

export const streamScenario = {
  kind: 'stream',
  name: 'stream',
  title: `${fullSpeedEvents}-event stream`,
  path: chatPath,
  body: streamedChat,
  cpuTarget: 1.2,
  events: fullSpeedEvents,
  caller: 'chat',
} as const satisfies Scenario;

export const openScenario = {
  kind: 'open',
  name: 'open',
  title: 'open streams',
  path: chatPath,
  body: pacedChat,
  cpuTarget: 1.2,
  events: pacedEvents,
  caller: 'chat',
} as const satisfies Scenario;

export const scenarios: readonly Scenario[] = [
  smallScenario,
  { kind: 'json', name: 'tools', title: 'chat with tools', path: chatPath, body: toolsChat, cpuTarget: 1.2, readText: chatText },
  {
    kind: 'json',
    name: 'codex',
    title: 'responses, agent turn',
    path: responsesPath,
    body: codexTurn,
    cpuTarget: 1.0,
    readText: responseText,
  },
  streamScenario,
  openScenario,
];
