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
/** A prompt may be megabytes; what it wants is said within this. */
const SEARCHED_CHARACTERS = 20_000;
/** Each of them is looked for in the prompt. */
const MOST_TOOLS = 1_024;

/** Common words in names of tools, which do not tell tools apart. */
const emptyWords = new Set(
  'get set put add new run use call make find fetch list show view read write create update delete remove search send look query request function tool data user info input output the and for from with'.split(
    ' ',
  ),
);

/** None after a result of a tool: otherwise the loop of an agent would never end. */
export function planCalls(ask: Ask, budget: Budget): readonly PlannedCall[] {
  if (ask.choice.mode === 'none' || ask.results.length > 0) return [];
  const tools = chooseTools(ask);
  const subjects = findSubjects(ask.prompt);
  const fill: Fill = (tool, about) => fillCall(tool, findSource(ask.prompt, about), budget);
  if (!ask.isParallel) return tools.slice(0, 1).map((tool) => ({ tool, text: fill(tool, subjects) }));
  const calls: PlannedCall[] = [];
  for (const tool of tools) {
    if (calls.length >= MOST_CALLS || budget.isSpent) break;
    calls.push(...fillCalls(tool, subjects, fill, budget));
  }
  return calls.slice(0, MOST_CALLS);
}

type Fill = (tool: Tool, subjects: readonly string[]) => string;

function chooseTools(ask: Ask): readonly Tool[] {
  const { mode, names } = ask.choice;
  const wanted = new Set(names);
  const allowed = names === null ? ask.tools : ask.tools.filter((tool) => wanted.has(tool.name));
  if (mode === 'auto' && readCommand(ask.prompt)) return [];
  const mentioned = findMentioned(ask.prompt, allowed.slice(0, MOST_TOOLS));
  return mode === 'required' && mentioned.length === 0 ? allowed.slice(0, 1) : mentioned;
}

/** Tools named in full; else one tool for each telling word of the prompt that is part of a tool's name. */
function findMentioned(prompt: string, tools: readonly Tool[]): readonly Tool[] {
  const named = namedIn(prompt, tools);
  if (named.length > 0) return named;
  const words = new Set(
    (
      prompt
        .slice(0, SEARCHED_CHARACTERS)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).map(dropPlural),
  );
  const claimed = new Set<string>();
  return tools.filter((tool) => {
    const hits = splitName(tool.name).filter((word) => words.has(word) && !claimed.has(word));
    for (const hit of hits) claimed.add(hit);
    return hits.length > 0;
  });
}

/** At the beginning of the prompt or at its end, where people say what they want. */
function namedIn(prompt: string, tools: readonly Tool[]): readonly Tool[] {
  const isLong = prompt.length > 2 * SEARCHED_CHARACTERS;
  const searched = isLong ? `${prompt.slice(0, SEARCHED_CHARACTERS)}\n${prompt.slice(-SEARCHED_CHARACTERS)}` : prompt;
  return tools.filter((tool) => searched.includes(tool.name));
}

function splitName(name: string): readonly string[] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word.length > 2 && !emptyWords.has(word)).map(dropPlural);
}

function dropPlural(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
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
