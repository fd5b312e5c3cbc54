/** The one plan of a text answer: both wire formats, whole and streamed, only write it down. */

import { excerpt } from '../excerpt.ts';
import { exampleValue } from '../schema/schema.ts';
import type { Ask, Tool } from './ask.ts';
import { asksToRefuse } from './commands.ts';
import { refusalText, writeReasoning, writeSentences } from './sentences.ts';
import { findNumbers, findSubjects } from './subjects.ts';
import { splitPieces } from './tokens.ts';
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
const mostTokens = 16_384;

const reasoningTokens: Readonly<Record<string, number>> = { minimal: 8, low: 16, medium: 32, high: 64, xhigh: 128, max: 256 };

/** `choice` is the index of this answer among those asked for. */
export function planAnswer(ask: Ask, choice = 0): Plan {
  const items = [...planReasoning(ask), ...planContent(ask, choice)];
  return limitTokens(items, Math.min(ask.maxTokens ?? mostTokens, mostTokens));
}

function planReasoning(ask: Ask): ReasoningItem[] {
  if (!ask.reasoning) return [];
  const tokens = reasoningTokens[ask.reasoning.effort] ?? 32;
  return [{ kind: 'reasoning', pieces: splitPieces(writeReasoning(ask)), isCut: false, tokens }];
}

function planContent(ask: Ask, choice: number): PlanItem[] {
  if (asksToRefuse(ask.prompt)) return [{ kind: 'refusal', pieces: splitPieces(refusalText), isCut: false }];
  const calls = planCalls(ask);
  if (calls.length > 0) return calls.map(({ tool, text }) => ({ kind: 'call', tool, pieces: splitPieces(text), isCut: false }));
  return [{ kind: 'text', pieces: splitPieces(stopText(writeText(ask, choice), ask.stop)), isCut: false }];
}

function writeText(ask: Ask, choice: number): string {
  switch (ask.format.kind) {
    case 'text':
      return writeSentences(ask, choice);
    case 'json_object':
      return JSON.stringify({ source: 'built-in simulator, not a model', prompt: excerpt(ask.prompt, 90) });
    case 'json_schema': {
      const source = { prompt: ask.prompt, subjects: findSubjects(ask.prompt), numbers: findNumbers(ask.prompt) };
      return JSON.stringify(exampleValue(ask.format.schema, source));
    }
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
