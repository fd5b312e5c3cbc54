/** Which tools a request makes the simulator call, and with what. */

import type { Budget } from '../schema/budget.ts';
import { exampleValue } from '../schema/schema.ts';
import type { Source } from '../schema/walk.ts';
import type { Ask, Tool } from './ask.ts';
import { readCommand } from './commands.ts';
import { findSource, findSubjects } from './subjects.ts';

export interface PlannedCall {
  readonly tool: Tool;
  /** Arguments as JSON text, or the raw input of a custom tool. */
  readonly text: string;
}

const MOST_CALLS = 8;
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
    if (calls.length >= MOST_CALLS || budget.isSpent) break;
    calls.push(...fillCalls(tool, subjects, fill, budget));
  }
  return calls.slice(0, MOST_CALLS);
}

type Fill = (tool: Tool, subjects: readonly string[]) => string;

interface Order {
  readonly tools: readonly Tool[];
  /** What the arguments are drawn from. */
  readonly about: string;
}

/** The tools that a line of the prompt orders; if it orders none and a call is required, the first one. Naming a tool is no order: agents name theirs in every prompt. */
function readOrder({ prompt, tools, choice: { mode, names } }: Ask): Order {
  const wanted = new Set(names);
  const allowed = names === null ? tools : tools.filter((tool) => wanted.has(tool.name));
  if (mode === 'auto' && readCommand(prompt)) return { tools: [], about: '' };
  for (const [, text = ''] of endsOf(prompt).matchAll(/^[ \t]*(?:please[ \t]+)?call[ \t]+(.*)$/gim)) {
    const order = readNames(text, allowed);
    // The order itself is left out, so that an agent that gets it as an argument does not follow it again.
    if (order.tools.length > 0) return order;
  }
  return { tools: mode === 'required' ? allowed.slice(0, 1) : [], about: prompt };
}

function endsOf(prompt: string): string {
  const isLong = prompt.length > 2 * SEARCHED_CHARACTERS;
  return isLong ? `${prompt.slice(0, SEARCHED_CHARACTERS)}\n${prompt.slice(-SEARCHED_CHARACTERS)}` : prompt;
}

/** The names at the beginning of a text, joined by commas and "and", and what stands behind them. */
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

/** One call for each subject; where the arguments cannot tell them apart, one call. */
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
