/** Which tools a request makes the simulator call, and with what. */

import { type CallCode, GatewayError } from '../errors.ts';
import type { Budget } from './pattern.ts';
import { excerpt } from './scenarios.ts';
import { exampleValue, type Source } from './schema.ts';

interface PlannedCall {
  readonly tool: Tool;
  /** Arguments as JSON text, or the raw input of a custom tool. */
  readonly text: string;
}

const MAX_CALLS = 8;
/** A prompt may be megabytes: the order is looked for at its beginning and at its end, where people say what they want. */
const SEARCHED_CHARACTERS = 20_000;

/** None after a result of a tool: otherwise the loop of an agent would never end. */
export function planCalls(ask: Ask, budget: Budget): readonly PlannedCall[] {
  if (ask.choice.mode === 'none' || ask.results.length > 0) return [];
  const { tools, about } = readOrder(ask);
  const subjects = findSubjects(about);
  const fill: Fill = (tool, each) => fillCall(tool, findSource(about || 'simulator', each), budget);
  if (!ask.isParallel) return tools.slice(0, 1).map((tool) => ({ tool, text: fill(tool, subjects) }));
  const calls: PlannedCall[] = [];
  for (const tool of tools) {
    if (calls.length >= MAX_CALLS || budget.isSpent) break;
    calls.push(...fillCalls(tool, subjects, fill, budget));
  }
  return calls.slice(0, MAX_CALLS);
}

type Fill = (tool: Tool, subjects: readonly string[]) => string;

interface Order {
  readonly tools: readonly Tool[];
  /** What the arguments are drawn from. */
  readonly about: string;
}

/** The tools that a line of the prompt orders; if it orders none and a call is required, the first one. Naming a tool isn't an order: agents name theirs in every prompt. */
function readOrder({ prompt, tools, choice: { mode, names } }: Ask): Order {
  const wanted = new Set(names);
  const allowed = names === null ? tools : tools.filter((tool) => wanted.has(tool.name));
  if (mode === 'auto' && readCommand(prompt)) return { tools: [], about: '' };
  for (const [, text = ''] of endsOf(prompt).matchAll(/^[ \t]*(?:please[ \t]+)?call[ \t]+(.*)$/gim)) {
    const order = readNames(text, allowed);
    // The order itself is omitted, so that an agent that gets it as an argument doesn't follow it again.
    if (order.tools.length > 0) return order;
  }
  return { tools: mode === 'required' ? allowed.slice(0, 1) : [], about: prompt };
}

function endsOf(prompt: string): string {
  const isLong = prompt.length > 2 * SEARCHED_CHARACTERS;
  return isLong ? `${prompt.slice(0, SEARCHED_CHARACTERS)}\n${prompt.slice(-SEARCHED_CHARACTERS)}` : prompt;
}

/** The names at the beginning of a text, joined by commas and "and", and what follows them. */
function readNames(text: string, tools: readonly Tool[]): Order {
  const known = new Set(tools.map(({ name }) => name));
  const named = new Set<string>();
  let about = text;
  for (let rest: string | undefined = text; rest !== undefined; ) {
    const [written = '', word = ''] = /^[`'"]?([^\s,`'"]+)[`'"]?/.exec(rest) ?? [];
    const name = [word, word.replace(/[.:;!?]+$/, '')].find((each) => known.has(each));
    if (name === undefined) break;
    named.add(name);
    about = rest.slice(written.length).trim();
    rest = /^(?:,\s*(?:and\s+)?|(?:and|&)\s+)(.*)$/i.exec(about)?.[1];
  }
  return { tools: tools.filter((tool) => named.has(tool.name)), about };
}

/** One call for each subject; where the arguments can't tell them apart, one call. */
function fillCalls(tool: Tool, subjects: readonly string[], fill: Fill, budget: Budget): readonly PlannedCall[] {
  const texts = new Set<string>();
  for (const subject of subjects) {
    const { characters } = budget;
    const text = fill(tool, [subject]);
    // What was made twice is sent once.
    if (texts.has(text)) budget.characters = characters;
    texts.add(text);
    if (budget.isSpent) break;
  }
  return [...texts].map((text) => ({ tool, text }));
}

function fillCall(tool: Tool, source: Source, budget: Budget): string {
  if (tool.kind === 'custom') return fillInput(tool.name, source.quote);
  budget.begin('tools', `the schema of the tool '${tool.name}'`);
  return JSON.stringify(exampleValue(tool.schema ?? { type: 'object' }, source, budget));
}

/** A client may run what a custom tool is given, so a prompt never becomes a program: such tools get a harmless one. */
function fillInput(name: string, quote: string): string {
  if (/sql|query/i.test(name)) return "select 'simulator'";
  if (/patch/i.test(name)) return '*** Begin Patch\n*** End Patch';
  if (/shell|bash|command|cmd|terminal/i.test(name)) return 'echo simulator';
  if (/exec|code|eval|script|python|run/i.test(name)) return '"simulator"';
  return quote;
}

/** Only the beginning is searched: a prompt may be megabytes, its subject stands early. */
const SUBJECT_CHARACTERS = 2_000;
const MAX_SUBJECTS = 8;

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** At least one subject; several only where the prompt joins them by "and", as in "Oslo and Paris". */
export function findSubjects(prompt: string): readonly string[] {
  const text = prompt.slice(0, SUBJECT_CHARACTERS);
  for (const find of [findQuoted, findNames]) {
    const joined = takeJoined(text, find(text));
    if (joined.length > 0) return joined;
  }
  const objects = findObjects(text);
  return objects.length > 0 ? objects : ['simulator'];
}

/** What made-up values are drawn from. */
export const findSource = (prompt: string, subjects: readonly string[]): Source => ({
  quote: excerpt(prompt, 200),
  subjects,
  numbers: findNumbers(prompt),
});

/** The numbers of a prompt in their order. */
function findNumbers(prompt: string): readonly number[] {
  return (prompt.slice(0, SUBJECT_CHARACTERS).match(/(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w)/gu) ?? []).map(Number);
}

function findQuoted(text: string): Span[] {
  return [...text.matchAll(/["“„`«]([^"“”„`«»]{1,80})["“”`»]/gu)].map((match) => createSpan(match, match[1] ?? ''));
}

/** Capitalized words, except the first word of a sentence. */
function findNames(text: string): Span[] {
  const names = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{M}\p{N}'’-]{0,40}(?:[ \t]\p{Lu}[\p{L}\p{M}\p{N}'’-]{0,40}){0,4}/gu;
  return [...text.matchAll(names)].flatMap((match) => {
    const opensSentence = /(?:^|[.!?:\n])\s*$/u.test(text.slice(Math.max(0, match.index - 8), match.index));
    const words = match[0].split(/\s/u).slice(opensSentence ? 1 : 0);
    const name = words.join(' ');
    return name === '' || /^I(['’].*)?$/u.test(name) ? [] : [{ text: name, start: match.index, end: match.index + match[0].length }];
  });
}

/** What follows a preposition, for prompts without capital letters. */
function findObjects(text: string): string[] {
  const phrase = /\b(?:in|for|at|of|about|near)\s+([^.?!;:\n]{1,120})/iu.exec(text)?.[1] ?? '';
  return phrase
    .split(/\s*,\s*|\s+(?:and|und|or|&)\s+/iu)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:the|a|an)\s+/iu, '')
        .split(/\s+/u)
        .slice(0, 4)
        .join(' '),
    )
    .filter((part) => part !== '')
    .slice(0, MAX_SUBJECTS);
}

/** The first span with those that commas and one "and" join to it. */
function takeJoined(text: string, spans: readonly Span[]): string[] {
  const chain: Span[] = [];
  let isJoined = false;
  for (const span of spans.slice(0, MAX_SUBJECTS)) {
    const last = chain.at(-1);
    const between = last ? text.slice(last.end, span.start) : '';
    if (last && !/^\s*(?:,|,?\s*(?:and|und|&))\s*(?:(?:in|for|of|at|about)\s+)?$/iu.test(between)) break;
    isJoined ||= /and|und|&/iu.test(between);
    chain.push(span);
  }
  const texts = chain.map((span) => span.text);
  return isJoined ? [...new Set(texts)] : texts.slice(0, 1);
}

function createSpan(match: RegExpExecArray, text: string): Span {
  return { text, start: match.index, end: match.index + match[0].length };
}

interface NamedTool {
  readonly name: string;
  /** Of a responses namespace; null for a tool that stands alone. */
  readonly namespace: string | null;
}
interface FunctionTool extends NamedTool {
  readonly kind: 'function';
  /** JSON schema of its arguments; undefined means no arguments. */
  readonly schema: unknown;
}
interface CustomTool extends NamedTool {
  readonly kind: 'custom';
}
export type Tool = FunctionTool | CustomTool;

export interface ToolChoice {
  readonly mode: 'none' | 'auto' | 'required';
  /** The only tools that may be called; null for all. */
  readonly names: readonly string[] | null;
}

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | { readonly kind: 'json_schema'; readonly schema: unknown; readonly param: string };

export interface Attachment {
  readonly noun: 'image' | 'file' | 'sound';
  /** Its media type where known, else how it was given. */
  readonly type: string;
}

export interface ToolResult {
  readonly name: string;
  readonly text: string;
}

interface Reasoning {
  readonly effort: string;
  readonly isEncrypted: boolean;
}

export interface Ask {
  /** Text of the last user message. */
  readonly prompt: string;
  /** Images and files of the last user message. */
  readonly attachments: readonly Attachment[];
  /** Tool results at the very end of the conversation. */
  readonly results: readonly ToolResult[];
  readonly inputTokens: number;
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice;
  readonly isParallel: boolean;
  readonly format: OutputFormat;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** How many responses; more than one only in chat. */
  readonly choices: number;
  /** null: the model doesn't reason. */
  readonly reasoning: Reasoning | null;
  /** Alternatives per token; null: no log probabilities asked for. */
  readonly topLogprobs: number | null;
}

/** Rejects a tool choice that no tool satisfies, as providers do. */
export function requireCallable(choice: ToolChoice, tools: readonly Tool[]): ToolChoice {
  const known = tools.some((tool) => choice.names === null || choice.names.includes(tool.name));
  if (choice.mode === 'required' && !known) {
    throw new GatewayError<CallCode>('invalid_value', {
      message: "'tool_choice' names a tool that isn't among the function and custom tools of this request.",
      param: 'tool_choice',
    });
  }
  return choice;
}

type Command =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'count'; readonly to: number }
  | { readonly kind: 'words'; readonly count: number };

/** Bounds of what one phrase can make the simulator write. */
const MAX_NUMBERS = 5_000;
const MAX_WORDS = 10_000;

const filler =
  'This text comes from the built-in simulator and not from a model. It only fills the stream word by word so that you can watch it arrive.'.split(
    ' ',
  );

export function readCommand(prompt: string): Command | null {
  const order = prompt.trim().replace(/^please\s+(?!refuse)/i, '');
  const repeat = /^repeat:\s?(.*)$/is.exec(order);
  if (repeat) return { kind: 'echo', text: repeat[1] ?? '' };
  const say = /^say:?\s+(.+)$/is.exec(order);
  if (say) return { kind: 'echo', text: unquote(say[1] ?? '') };
  const count = /^count\s+(?:from\s+1\s+)?to\s+(\d{1,9})\b/i.exec(order);
  if (count) return { kind: 'count', to: Math.min(Number(count[1]), MAX_NUMBERS) };
  const words = /^write\s+(\d{1,9})\s+words\b/i.exec(order);
  if (words) return { kind: 'words', count: Math.min(Number(words[1]), MAX_WORDS) };
  return null;
}

/** What a command makes the simulator write. */
export function obey(command: Command): string {
  switch (command.kind) {
    case 'echo':
      return command.text;
    case 'count':
      return Array.from({ length: command.to }, (_, index) => index + 1).join(', ');
    case 'words':
      return Array.from({ length: command.count }, (_, index) => filler[index % filler.length]).join(' ');
  }
}

export function asksToRefuse(prompt: string): boolean {
  return /^[ \t]*please refuse\b/im.test(prompt);
}

function unquote(text: string): string {
  return /^(["'“‘`])(.*)(["'”’`])$/s.exec(text)?.[2] ?? text;
}
