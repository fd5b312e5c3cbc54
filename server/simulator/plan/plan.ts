/** The one plan of a text answer: both wire formats, whole and streamed, only write it down. */

import { excerpt } from '../excerpt.ts';
import { Budget } from '../schema/budget.ts';
import { exampleValue } from '../schema/schema.ts';
import type { Ask, Tool } from './ask.ts';
import { asksToRefuse } from './commands.ts';
import { isNumbered, refusalText, writeNumber, writeReasoning, writeSentences } from './sentences.ts';
import { findSource, findSubjects } from './subjects.ts';
import { LONGEST_PIECE, splitPieces } from './tokens.ts';
import { planCalls } from './tool-calls.ts';

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
const MOST_TOKENS = 16_384;

const reasoningTokens: Readonly<Record<string, number>> = { minimal: 8, low: 16, medium: 32, high: 64, xhigh: 128, max: 256 };

/** Tokens of all answers to one request; one with its probability, and each alternative to it, counts as another. */
export const MOST_ENTRIES = 65_536;

/** One plan for each answer that is asked for. What they have in common is made once. */
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
  Math.min(maxTokens ?? MOST_TOKENS, MOST_TOKENS, Math.floor(MOST_ENTRIES / (entriesOf(topLogprobs) * choices)));

/** How many entries a token counts for. */
const entriesOf = (topLogprobs: Ask['topLogprobs']): number => (topLogprobs === null ? 1 : 2 + topLogprobs);

const LARGE = 4_096;

/** Whether the answers hold so many entries that writing them takes many milliseconds. */
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
  const budget = new Budget(limit * LONGEST_PIECE + 1);
  const calls = planCalls(ask, budget);
  if (calls.length > 0) {
    return {
      kind: 'alike',
      items: calls.map(({ tool, text }) => ({ kind: 'call', tool, pieces: splitPieces(text, limit), isCut: false })),
    };
  }
  const text = writeText(ask, budget);
  if (isNumbered(ask)) return { kind: 'numbered', text: text.slice(0, (limit + 1) * LONGEST_PIECE) };
  return { kind: 'alike', items: [planText(text, ask, limit)] };
}

const planText = (text: string, { stop }: Ask, limit: number): MessageItem => ({
  kind: 'text',
  pieces: splitPieces(stopText(text.slice(0, (limit + 1) * LONGEST_PIECE), stop), limit),
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

/** A stop sequence is not part of the answer. */
function stopText(text: string, stop: readonly string[]): string {
  const places = stop.filter((sequence) => sequence !== '').map((sequence) => text.indexOf(sequence));
  return text.slice(0, Math.min(text.length, ...places.filter((place) => place >= 0)));
}

function countTokens(item: PlanItem): number {
  return item.kind === 'reasoning' ? item.tokens : item.pieces.length;
}

/** Keeps what fits. The item in which the limit falls stays, if need be empty, so that the answer shows where it broke off. */
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
