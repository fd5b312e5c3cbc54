/** Which tools a request makes the simulator call, and with what. */

import { excerpt } from '../excerpt.ts';
import { exampleValue } from '../schema/schema.ts';
import type { Ask, Tool } from './ask.ts';
import { readCommand } from './commands.ts';
import { findNumbers, findSubjects } from './subjects.ts';

export interface PlannedCall {
  readonly tool: Tool;
  /** Arguments as JSON text, or the raw input of a custom tool. */
  readonly text: string;
}

const mostCalls = 8;
/** A prompt may be megabytes; what it wants is said within this. */
const searchedCharacters = 20_000;

/** Words in the names of half of all tools: they say nothing about which one is meant. */
const emptyWords = new Set(
  'get set put add new run use call make find fetch list show view read write create update delete remove search send look query request function tool data user info input output the and for from with'.split(
    ' ',
  ),
);

/** None after a tool's result: a simulator that calls again would never end an agent's loop. */
export function planCalls(ask: Ask): readonly PlannedCall[] {
  if (ask.choice.mode === 'none' || ask.results.length > 0) return [];
  const tools = chooseTools(ask);
  const subjects = findSubjects(ask.prompt);
  if (!ask.isParallel) return tools.slice(0, 1).map((tool) => ({ tool, text: fillCall(tool, ask.prompt, subjects) }));
  const calls = tools.flatMap((tool) => fillCalls(tool, ask.prompt, subjects));
  return calls.slice(0, mostCalls);
}

function chooseTools(ask: Ask): readonly Tool[] {
  const { mode, names } = ask.choice;
  const allowed = names === null ? ask.tools : ask.tools.filter((tool) => names.includes(tool.name));
  if (mode === 'auto' && readCommand(ask.prompt)) return [];
  const mentioned = findMentioned(ask.prompt, allowed);
  return mode === 'required' && mentioned.length === 0 ? allowed.slice(0, 1) : mentioned;
}

/** Tools named in full; else one tool for each telling word of the prompt that is part of a tool's name. */
function findMentioned(prompt: string, tools: readonly Tool[]): readonly Tool[] {
  const named = tools.filter((tool) => prompt.includes(tool.name));
  if (named.length > 0) return named;
  const words = new Set(
    (
      prompt
        .slice(0, searchedCharacters)
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
function fillCalls(tool: Tool, prompt: string, subjects: readonly string[]): readonly PlannedCall[] {
  const texts = subjects.map((subject) => fillCall(tool, prompt, [subject]));
  return [...new Set(texts)].map((text) => ({ tool, text }));
}

function fillCall(tool: Tool, prompt: string, subjects: readonly string[]): string {
  if (tool.kind === 'custom') return fillInput(tool.name, prompt);
  const value = exampleValue(tool.schema ?? { type: 'object' }, { prompt, subjects, numbers: findNumbers(prompt) });
  return JSON.stringify(value);
}

/** A client may run what a custom tool is given, so a prompt never becomes a program: such tools get a harmless one. */
function fillInput(name: string, prompt: string): string {
  if (/sql|query/i.test(name)) return "select 'simulator'";
  if (/patch/i.test(name)) return '*** Begin Patch\n*** End Patch';
  if (/shell|bash|command|cmd|terminal/i.test(name)) return 'echo simulator';
  if (/exec|code|eval|script|python|run/i.test(name)) return '"simulator"';
  return excerpt(prompt, 200);
}
