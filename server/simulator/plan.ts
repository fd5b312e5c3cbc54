/** The one plan of a text answer: both wire formats, whole and streamed, only write it down. */

import { type CallCode, GatewayError } from '../errors.ts';
import { Budget } from './pattern.ts';
import { type AskedScenario, createRandom, createSeed, excerpt } from './scenarios.ts';
import { exampleValue } from './schema.ts';
import {
  type Ask,
  type Attachment,
  asksToRefuse,
  findSource,
  findSubjects,
  obey,
  planCalls,
  readCommand,
  type Tool,
} from './tool-calls.ts';

interface Planned {
  /** One piece is one token and one delta. */
  readonly pieces: readonly string[];
  /** Whether the token limit fell inside; only ever the last item. */
  readonly isCut: boolean;
}
export interface ReasoningItem extends Planned {
  readonly kind: 'reasoning';
  /** More than its pieces: the summary is shorter than the thought. */
  readonly tokens: number;
}
export interface MessageItem extends Planned {
  readonly kind: 'text' | 'refusal';
}
export interface CallItem extends Planned {
  readonly kind: 'call';
  readonly tool: Tool;
}
export type PlanItem = ReasoningItem | MessageItem | CallItem;

export interface Plan {
  readonly items: readonly PlanItem[];
  readonly isCut: boolean;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Like every model, this one has a longest answer: an echo of megabytes ends here. */
const MAX_TOKENS = 16_384;

const reasoningTokens: Readonly<Record<string, number>> = { minimal: 8, low: 16, medium: 32, high: 64, xhigh: 128, max: 256 };

/** Tokens of all answers to one request; one with its probability, and each alternative to it, counts as another. */
export const MAX_ENTRIES = 65_536;

/** One plan for each response that is asked for. What they have in common is made once. */
export function planAnswers(ask: Ask): readonly Plan[] {
  const plan = openPlan(ask);
  return Array.from({ length: ask.choices }, (_, choice) => plan(choice));
}

/** The only one. */
export const planAnswer = (ask: Ask): Plan => openPlan(ask)(0);

function openPlan(ask: Ask): (choice: number) => Plan {
  const limit = longestAnswer(ask);
  const reasoning = planReasoning(ask, limit);
  const content = planContent(ask, limit);
  if (content.kind === 'numbered') {
    const write = (choice: number) => planText(`${content.text}${writeNumber(ask, choice)}`, ask, limit);
    return (choice) => limitTokens([...reasoning, write(choice)], limit);
  }
  const plan = limitTokens([...reasoning, ...content.items], limit);
  return () => plan;
}

/** In tokens, before any of it is made. */
const longestAnswer = ({ maxTokens, choices, topLogprobs }: Ask): number =>
  Math.min(maxTokens ?? MAX_TOKENS, MAX_TOKENS, Math.floor(MAX_ENTRIES / (entriesOf(topLogprobs) * choices)));

/** How many entries a token counts for. */
const entriesOf = (topLogprobs: Ask['topLogprobs']): number => (topLogprobs === null ? 1 : 2 + topLogprobs);

const LARGE = 4_096;

/** Whether the responses hold so many entries that writing them takes many milliseconds. */
export const isLarge = ({ topLogprobs }: Ask, plans: readonly Plan[]): boolean =>
  plans.reduce((sum, { outputTokens }) => sum + outputTokens, 0) * entriesOf(topLogprobs) > LARGE;

function planReasoning(ask: Ask, limit: number): ReasoningItem[] {
  if (!ask.reasoning) return [];
  const tokens = reasoningTokens[ask.reasoning.effort] ?? 32;
  return [{ kind: 'reasoning', pieces: splitPieces(writeReasoning(ask), limit), isCut: false, tokens }];
}

/** Of all answers to a request, or the text that each of them begins with. */
type Content = { readonly kind: 'alike'; readonly items: readonly PlanItem[] } | { readonly kind: 'numbered'; readonly text: string };

function planContent(ask: Ask, limit: number): Content {
  if (asksToRefuse(ask.prompt))
    return { kind: 'alike', items: [{ kind: 'refusal', pieces: splitPieces(refusalText, limit), isCut: false }] };
  // More characters than the tokens can hold, whatever they are.
  const budget = new Budget(limit * MAX_PIECE + 1);
  const calls = planCalls(ask, budget);
  if (calls.length > 0) {
    return {
      kind: 'alike',
      items: calls.map(({ tool, text }) => ({ kind: 'call', tool, pieces: splitPieces(text, limit), isCut: false })),
    };
  }
  const text = writeText(ask, budget);
  if (isNumbered(ask)) return { kind: 'numbered', text: text.slice(0, (limit + 1) * MAX_PIECE) };
  return { kind: 'alike', items: [planText(text, ask, limit)] };
}

const planText = (text: string, { stop }: Ask, limit: number): MessageItem => ({
  kind: 'text',
  pieces: splitPieces(stopText(text.slice(0, (limit + 1) * MAX_PIECE), stop), limit),
  isCut: false,
});

function writeText({ format, ...ask }: Ask, budget: Budget): string {
  switch (format.kind) {
    case 'text':
      return writeSentences({ format, ...ask });
    case 'json_object':
      return JSON.stringify({ source: 'built-in simulator, not a model', prompt: excerpt(ask.prompt, 90) });
    case 'json_schema':
      budget.begin(format.param, 'this schema');
      return JSON.stringify(exampleValue(format.schema, findSource(ask.prompt, findSubjects(ask.prompt)), budget));
  }
}

/** A stop sequence isn't part of the response. */
function stopText(text: string, stop: readonly string[]): string {
  const places = stop.filter((sequence) => sequence !== '').map((sequence) => text.indexOf(sequence));
  return text.slice(0, Math.min(text.length, ...places.filter((place) => place >= 0)));
}

function countTokens(item: PlanItem): number {
  return item.kind === 'reasoning' ? item.tokens : item.pieces.length;
}

/** Keeps what fits. The item in which the limit falls stays, if need be empty, so that the response shows where it ended early. */
function limitTokens(items: readonly PlanItem[], limit: number): Plan {
  const kept: PlanItem[] = [];
  let left = limit;
  for (const item of items) {
    const isCut = countTokens(item) > left;
    kept.push(isCut ? cutItem(item, left) : item);
    left -= Math.min(left, countTokens(item));
    if (isCut) break;
  }
  const thought = kept.reduce((sum, item) => sum + (item.kind === 'reasoning' ? item.tokens : 0), 0);
  return { items: kept, isCut: kept.at(-1)?.isCut ?? false, outputTokens: limit - left, reasoningTokens: thought };
}

function cutItem(item: PlanItem, left: number): PlanItem {
  const cut = { ...item, pieces: item.pieces.slice(0, left), isCut: true };
  return cut.kind === 'reasoning' ? { ...cut, tokens: left } : cut;
}

const IDENTITY = 'I am the built-in simulator of this gateway, not a model';

/** The text of all choices; with several, each adds its number. */
function writeSentences(ask: Ask): string {
  if (ask.results.length > 0) return answerResults(ask);
  const command = readCommand(ask.prompt);
  return command ? obey(command) : answerPrompt(ask);
}

export const refusalText = `I can't help with that. ${IDENTITY}: this shows what a refusal looks like.`;

function writeReasoning(ask: Ask): string {
  const task = ask.results.length > 0 ? 'the result of a tool' : `“${excerpt(ask.prompt, 60)}”`;
  return `**Reading the request**\n\nThe last thing I was given is ${task}. A simulator does not think; it chooses a fitting form and writes it.`;
}

function answerPrompt(ask: Ask): string {
  const quote = excerpt(ask.prompt, 90);
  const extras = describeAttachments(ask.attachments);
  if (quote === '') return `I found no text in your message.${extras} ${IDENTITY}.`;
  if (/^(hi|hello|hey|hallo|good (morning|evening|day))\b.{0,12}$/iu.test(quote)) {
    return `Hello! You wrote “${quote}”. ${IDENTITY}. Try “count to 10”, “repeat: some text”, or “call” and the name of one of your tools.`;
  }
  const verb = quote.includes('?') ? 'asked' : 'wrote';
  return `You ${verb}: “${quote}”${/[.?!…]$/u.test(quote) ? '' : '.'}${extras} ${IDENTITY}, so I cannot know a real answer; this shows how one would reach you.`;
}

function answerResults(ask: Ask): string {
  const results = ask.results.map(({ name, text }) => `The tool ${name} answered: “${excerpt(text, 200)}”.`);
  return `${results.join(' ')} ${IDENTITY}, so I pass this on as it came.`;
}

/** A command is followed exactly, in every choice. */
const isNumbered = (ask: Ask): boolean =>
  ask.choices > 1 && ask.format.kind === 'text' && (ask.results.length > 0 || readCommand(ask.prompt) === null);

/** `choice` is the index of a response among several. */
const writeNumber = (ask: Ask, choice: number): string => ` This is choice ${choice + 1} of ${ask.choices}.`;

function describeAttachments(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return '';
  const nouns = [...new Set(attachments.map(({ noun }) => noun))];
  const groups = nouns.map((noun) => {
    const types = attachments.filter((attachment) => attachment.noun === noun).map(({ type }) => type);
    return `${types.length} ${noun}${types.length > 1 ? 's' : ''} (${[...new Set(types)].join(', ')})`;
  });
  return ` With it came ${groups.join(' and ')}.`;
}

interface Chance {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}
export interface Logprob extends Chance {
  readonly top_logprobs: readonly Chance[];
}

type Token = Pick<Chance, 'token' | 'bytes'>;

const asToken = (token: string): Token => ({ token, bytes: [...Buffer.from(token)] });

const others = ' the, a, of, and, to, in, is, it, that, for, on, with, as, this, by, from, or, an, at, be'.split(',').map(asToken);

const createChance = ({ token, bytes }: Token, probability: number): Chance => ({
  token,
  logprob: Number(Math.log(probability).toFixed(6)),
  bytes,
});

/** The same piece has the same numbers wherever it stands. `top` is how many alternatives to name, the piece itself first. */
export function describePiece(piece: string, top: number): Logprob {
  const probability = 0.55 + 0.44 * createRandom(createSeed(piece))();
  const alternatives = others
    .filter(({ token }) => token !== piece)
    .slice(0, Math.max(0, top - 1))
    .map((other, index) => createChance(other, (1 - probability) / 2 ** (index + 1)));
  const chosen = createChance(asToken(piece), probability);
  return { ...chosen, top_logprobs: top > 0 ? [chosen, ...alternatives] : [] };
}

export function describePieces(pieces: readonly string[], top: number): readonly Logprob[] {
  return pieces.map((piece) => describePiece(piece, top));
}

const LONG_WORDS = 2_000;

export function shapeAsk(ask: Ask, asked: AskedScenario | null): Ask {
  switch (asked?.scenario.kind) {
    case 'tools':
      return withCall(ask, asked);
    case 'refusal':
      return { ...ask, prompt: 'please refuse' };
    case 'long':
      return { ...ask, prompt: `write ${LONG_WORDS} words` };
    default:
      return ask;
  }
}

/** The phrase says nothing about the arguments; what follows it may. */
function withCall(ask: Ask, { rest, param }: AskedScenario): Ask {
  if (ask.choice.mode === 'none' || ask.tools.length === 0) throw noTools();
  return { ...ask, prompt: param === null ? ask.prompt : rest, choice: { ...ask.choice, mode: 'required' } };
}

const noTools = () =>
  new GatewayError<CallCode>('invalid_value', {
    message: "The 'tools' scenario calls a function or custom tool, but this request offers none that can be called.",
    param: 'tools',
  });

/** No piece has more UTF-16 units. */
export const MAX_PIECE = 16 + 2 * 14;

/** One piece is one token and one streamed delta; all pieces together are the text, byte for byte. If the text has more than `most` pieces, one more is returned. */
export function splitPieces(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  for (const [piece] of text.slice(0, (most + 1) * MAX_PIECE).matchAll(/\s{0,16}\S{1,14}|\s{1,16}/gu)) {
    pieces.push(piece);
    if (pieces.length > most) break;
  }
  return pieces;
}

/** A data URL counts as so many characters, however large the image in it is. */
const DATA_URL_CHARACTERS = 1024;
const CHARACTERS_PER_TOKEN = 4;

/** Estimates tokens of everything that was sent: four characters each. Not recursive, the nesting is the caller's. */
export function estimateTokens(sent: unknown): number {
  const open: unknown[] = [sent];
  let characters = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.startsWith('data:') ? DATA_URL_CHARACTERS : value.length;
    else if (typeof value === 'object' && value !== null) for (const entry of Object.values(value)) open.push(entry);
  }
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}
