/** Plans a text response of either protocol, whether complete or streamed. */

import { Budget } from './budget.ts';
import { isRefusalRequested, runCommand } from './commands.ts';
import { createExcerpt } from './excerpt.ts';
import { createSchemaExample } from './schema-example.ts';
import type { Attachment, SimulatorRequest, SimulatorTool } from './simulator-request.ts';
import { createPromptSource, findSubjects } from './subjects.ts';
import { MAX_PIECE_LENGTH, splitPieces } from './tokens.ts';
import { planToolCalls } from './tool-calls.ts';

interface PlannedItem {
  /** Each piece is one token and one delta. */
  readonly pieces: readonly string[];
}
interface ReasoningItem extends PlannedItem {
  readonly kind: 'reasoning';
  /** Exceeds the number of pieces, because the summary is shorter than the reasoning. */
  readonly tokens: number;
}
interface MessageItem extends PlannedItem {
  readonly kind: 'text' | 'refusal';
}
export interface CallItem extends PlannedItem {
  readonly kind: 'call';
  readonly tool: SimulatorTool;
}
export type PlanItem = ReasoningItem | MessageItem | CallItem;

export interface Plan {
  readonly items: readonly PlanItem[];
  /** Whether the token limit cut the last item. */
  readonly isCut: boolean;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Like every model, the simulator has a maximum response length, which ends an echo of megabytes. */
const MAX_TOKENS = 16_384;

const reasoningTokens: Readonly<Record<string, number>> = { minimal: 8, low: 16, medium: 32, high: 64, xhigh: 128, max: 256 };

/** Maximum entries of all responses to one request. A token is an entry, and so are its log probability and each alternative. */
export const MAX_ENTRIES = 65_536;

/** Returns one plan per requested response. */
export function planResponses(request: SimulatorRequest): readonly Plan[] {
  const limit = getMaxTokens(request);
  const reasoning = planReasoning(request, limit);
  const content = planContent(request, limit);
  const hasNumbers = isNumbered(request);
  return Array.from({ length: request.choices }, (_, choice) => {
    if (typeof content !== 'string') return limitTokens([...reasoning, ...content], limit);
    const text = hasNumbers ? `${content} This is choice ${choice + 1} of ${request.choices}.` : content;
    const pieces = splitPieces(cutAtStop(text, request.stop), limit);
    return limitTokens([...reasoning, { kind: 'text', pieces }], limit);
  });
}

/** Returns the maximum tokens, before any are created. */
export const getMaxTokens = ({ maxTokens, choices, topLogprobs }: SimulatorRequest): number =>
  Math.min(maxTokens ?? MAX_TOKENS, MAX_TOKENS, Math.floor(MAX_ENTRIES / (getEntriesPerToken(topLogprobs) * choices)));

/** Returns the entries per token. */
const getEntriesPerToken = (topLogprobs: SimulatorRequest['topLogprobs']): number => (topLogprobs === null ? 1 : 2 + topLogprobs);

const LARGE_ENTRY_COUNT = 4_096;

/** Whether the responses have so many entries that writing them takes many milliseconds. */
export const isLarge = ({ topLogprobs }: SimulatorRequest, plans: readonly Plan[]): boolean =>
  plans.reduce((total, { outputTokens }) => total + outputTokens, 0) * getEntriesPerToken(topLogprobs) > LARGE_ENTRY_COUNT;

function planReasoning(request: SimulatorRequest, limit: number): ReasoningItem[] {
  if (request.effort === null) return [];
  const tokens = reasoningTokens[request.effort] ?? 32;
  return [{ kind: 'reasoning', pieces: splitPieces(writeReasoning(request), limit), tokens }];
}

/** Returns the items of every response, or the text that each of them starts with, because texts may end with the number of the choice. */
function planContent(request: SimulatorRequest, limit: number): readonly PlanItem[] | string {
  if (isRefusalRequested(request.prompt)) return [{ kind: 'refusal', pieces: splitPieces(refusalText, limit) }];
  // More characters than the tokens can contain, whatever they are.
  const budget = new Budget(limit * MAX_PIECE_LENGTH + 1);
  const calls = planToolCalls(request, budget);
  if (calls.length > 0) return calls.map(({ tool, text }) => ({ kind: 'call', tool, pieces: splitPieces(text, limit) }));
  return writeText(request, budget).slice(0, (limit + 1) * MAX_PIECE_LENGTH);
}

function writeText(request: SimulatorRequest, budget: Budget): string {
  const { format } = request;
  switch (format.kind) {
    case 'text':
      return writeSentences(request);
    case 'json':
      return JSON.stringify({ source: 'built-in simulator, not a model', prompt: createExcerpt(request.prompt, 90) });
    case 'schema':
      budget.begin(request.schemaParam, 'this schema');
      return JSON.stringify(createSchemaExample(format.schema, createPromptSource(request.prompt, findSubjects(request.prompt)), budget));
  }
}

/** The stop sequence isn't part of the response. */
function cutAtStop(text: string, stop: readonly string[]): string {
  const stopIndexes = stop.filter((sequence) => sequence !== '').map((sequence) => text.indexOf(sequence));
  return text.slice(0, Math.min(text.length, ...stopIndexes.filter((place) => place >= 0)));
}

function countTokens(item: PlanItem): number {
  return item.kind === 'reasoning' ? item.tokens : item.pieces.length;
}

/** Keeps what fits. Also keeps the item that the limit cuts, even if it's empty, so that the response shows where it ended. */
export function limitTokens(items: readonly PlanItem[], limit: number): Plan {
  const keptItems: PlanItem[] = [];
  let remainingTokens = limit;
  let isCut = false;
  for (const item of items) {
    if (isCut) break;
    isCut = countTokens(item) > remainingTokens;
    keptItems.push(isCut ? cutItem(item, remainingTokens) : item);
    remainingTokens -= Math.min(remainingTokens, countTokens(item));
  }
  const reasoningTokens = keptItems.reduce((total, item) => total + (item.kind === 'reasoning' ? item.tokens : 0), 0);
  return { items: keptItems, isCut, outputTokens: limit - remainingTokens, reasoningTokens };
}

function cutItem(item: PlanItem, remainingTokens: number): PlanItem {
  const pieces = item.pieces.slice(0, remainingTokens);
  return item.kind === 'reasoning' ? { ...item, pieces, tokens: remainingTokens } : { ...item, pieces };
}

const IDENTITY_SENTENCE = 'I am the built-in simulator of this gateway, not a model';

/** Writes the text of all choices. With several choices, each one adds its number. */
function writeSentences(request: SimulatorRequest): string {
  if (request.results.length > 0) return writeResultsResponse(request);
  return runCommand(request.prompt) ?? writePromptResponse(request);
}

export const refusalText = `I can't help with that. ${IDENTITY_SENTENCE}: this shows what a refusal looks like.`;

function writeReasoning(request: SimulatorRequest): string {
  const task = request.results.length > 0 ? 'the result of a tool' : `“${createExcerpt(request.prompt, 60)}”`;
  return `**Reading the request**\n\nThe last thing I was given is ${task}. A simulator does not think; it chooses a fitting form and writes it.`;
}

function writePromptResponse(request: SimulatorRequest): string {
  const quote = createExcerpt(request.prompt, 90);
  const attachmentText = describeAttachments(request.attachments);
  if (quote === '') return `I found no text in your message.${attachmentText} ${IDENTITY_SENTENCE}.`;
  if (/^(hi|hello|hey|hallo|good (morning|evening|day))\b.{0,12}$/iu.test(quote)) {
    return `Hello! You wrote “${quote}”. ${IDENTITY_SENTENCE}. Try “count to 10”, “repeat: some text”, or “call” and the name of one of your tools.`;
  }
  const verb = quote.includes('?') ? 'asked' : 'wrote';
  return `You ${verb}: “${quote}”${/[.?!…]$/u.test(quote) ? '' : '.'}${attachmentText} ${IDENTITY_SENTENCE}. This is a placeholder response.`;
}

function writeResultsResponse(request: SimulatorRequest): string {
  const results = request.results.map(({ name, text }) => `The tool ${name} answered: “${createExcerpt(text, 200)}”.`);
  return `${results.join(' ')} ${IDENTITY_SENTENCE}. I return the results unchanged.`;
}

/** Commands are followed exactly, in every choice. */
const isNumbered = (request: SimulatorRequest): boolean =>
  request.choices > 1 && request.format.kind === 'text' && (request.results.length > 0 || runCommand(request.prompt) === null);

function describeAttachments(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return '';
  const nouns = [...new Set(attachments.map(({ noun }) => noun))];
  const groups = nouns.map((noun) => {
    const types = attachments.filter((attachment) => attachment.noun === noun).map(({ type }) => type);
    return `${types.length} ${noun}${types.length > 1 ? 's' : ''} (${[...new Set(types)].join(', ')})`;
  });
  return ` It included ${groups.join(' and ')}.`;
}
