/** Plans the simulator's tool calls: which tools, and with which arguments. */

import type { Budget } from './budget.ts';
import { runCommand } from './commands.ts';
import { createSchemaExample, type PromptSource } from './schema-example.ts';
import type { SimulatorRequest, SimulatorTool } from './simulator-request.ts';
import { createPromptSource, findSubjects } from './subjects.ts';

interface PlannedCall {
  readonly tool: SimulatorTool;
  /** Arguments as JSON text, or the raw input of a custom tool. */
  readonly text: string;
}

const MAX_CALLS = 8;
/** A prompt may be megabytes, so only its start and end are searched, where people write their instructions. */
const MAX_SEARCHED_CHARACTERS = 20_000;

/**
 * Plans a call of each ordered tool for each subject. Equal calls are sent once. Plans none after a tool result, because an agent's loop would otherwise
 * never end.
 */
export function planToolCalls(request: SimulatorRequest, budget: Budget): readonly PlannedCall[] {
  if (request.choice.mode === 'none' || request.results.length > 0) return [];
  const { tools, about: argumentText } = readOrderedTools(request);
  const subjects = findSubjects(argumentText);
  const calls = new Map<string, PlannedCall>();
  for (const tool of request.isParallel ? tools : tools.slice(0, 1)) {
    for (const group of request.isParallel ? subjects.map((subject) => [subject]) : [subjects]) {
      if (calls.size === MAX_CALLS || budget.isExhausted) break;
      const { characters } = budget;
      const text = fillCall(tool, createPromptSource(argumentText || 'simulator', group), budget);
      const key = JSON.stringify([tool.namespace, tool.name, text]);
      // A duplicate is sent only once, so its characters are refunded.
      if (calls.has(key)) budget.characters = characters;
      calls.set(key, { tool, text });
    }
  }
  return [...calls.values()];
}

interface OrderedTools {
  readonly tools: readonly SimulatorTool[];
  /** The text that arguments are created from. */
  readonly about: string;
}

/**
 * Returns the tools that a prompt line orders. If there's no order and a call is required, returns the first tool. Naming a tool isn't an order: agents
 * name their tools in every prompt.
 */
function readOrderedTools({ prompt, tools, choice: { mode, names } }: SimulatorRequest): OrderedTools {
  const wantedNames = new Set(names);
  const allowedTools = names === null ? tools : tools.filter((tool) => wantedNames.has(tool.name));
  if (mode === 'auto' && runCommand(prompt) !== null) return { tools: [], about: '' };
  for (const [, text = ''] of getSearchedText(prompt).matchAll(/^[ \t]*(?:please[ \t]+)?call[ \t]+(.*)$/gim)) {
    const orderedTools = readNames(text, allowedTools);
    // Omits the order itself, so that an agent that gets it as an argument doesn't follow it again.
    if (orderedTools.tools.length > 0) return orderedTools;
  }
  return { tools: mode === 'required' ? allowedTools.slice(0, 1) : [], about: prompt };
}

function getSearchedText(prompt: string): string {
  const isTruncated = prompt.length > 2 * MAX_SEARCHED_CHARACTERS;
  return isTruncated ? `${prompt.slice(0, MAX_SEARCHED_CHARACTERS)}\n${prompt.slice(-MAX_SEARCHED_CHARACTERS)}` : prompt;
}

/** Reads the names at the start of a text, joined by commas and "and", and returns the text after them. */
function readNames(text: string, tools: readonly SimulatorTool[]): OrderedTools {
  const knownNames = new Set(tools.map(({ name }) => name));
  const namedTools = new Set<string>();
  let argumentText = text;
  for (let remainingText: string | undefined = text; remainingText !== undefined; ) {
    const [quotedName = '', rawName = ''] = /^[`'"]?([^\s,`'"]+)[`'"]?/.exec(remainingText) ?? [];
    const name = [rawName, rawName.replace(/[.:;!?]+$/, '')].find((each) => knownNames.has(each));
    if (name === undefined) break;
    namedTools.add(name);
    argumentText = remainingText.slice(quotedName.length).trim();
    remainingText = /^(?:,\s*(?:and\s+)?|(?:and|&)\s+)(.*)$/i.exec(argumentText)?.[1];
  }
  return { tools: tools.filter((tool) => namedTools.has(tool.name)), about: argumentText };
}

function fillCall(tool: SimulatorTool, source: PromptSource, budget: Budget): string {
  if (tool.kind === 'custom') return fillInput(tool.name, source.quote);
  budget.begin('tools', `the schema of the tool '${tool.name}'`);
  return JSON.stringify(createSchemaExample(tool.parameters ?? { type: 'object' }, source, budget));
}

/** A client may execute the input of a custom tool, so a prompt never becomes a program: such tools get a harmless one. */
function fillInput(name: string, quote: string): string {
  if (/sql|query/i.test(name)) return "select 'simulator'";
  if (/patch/i.test(name)) return '*** Begin Patch\n*** End Patch';
  if (/shell|bash|command|cmd|terminal/i.test(name)) return 'echo simulator';
  if (/exec|code|eval|script|python|run/i.test(name)) return '"simulator"';
  return quote;
}
