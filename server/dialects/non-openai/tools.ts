/** The tools of a turn as upstreams without hosted or free-form tools can take them, and which of them may be chosen. */
import { InputDecoder, inputDescription, inputSchema } from '../chat/custom-input.ts';
import { type FlatToolNames, offeredOnce } from '../turn/tool-names.ts';
import { toolField } from '../turn/tool-place.ts';
import { toolSchema } from '../turn/tool-schema.ts';
import type { CustomTool, FunctionTool, Tool, ToolChoice, Turn } from '../turn/turn.ts';
import type { Work } from '../turn/work-budget.ts';
import { refuse } from './refusal.ts';

export type CallableTool = FunctionTool | CustomTool;

const isCallable = (tool: Tool): tool is CallableTool => tool.kind !== 'hosted';

export const callableTools = (turn: Turn): readonly CallableTool[] => offeredOnce(turn.tools.filter(isCallable));

/** What may be called: `only` holds flat names, null for any. */
export interface Choice {
  readonly mode: 'auto' | 'none' | 'required';
  readonly only: readonly string[] | null;
}

/** Null when there is no tool to choose from, or the caller set no choice. */
export function readChoice(turn: Turn, tools: readonly CallableTool[], names: FlatToolNames): Choice | null {
  const choice = turn.toolChoice;
  if (choice === null) return null;
  if (choice.kind === 'hosted') refuse('tool_choice', 'its upstream runs no tools of its own');
  if (tools.length === 0) return canWait(choice) ? null : refuse('tool_choice', 'none of the tools can be called there');
  if (choice.kind === 'tool') return { mode: 'required', only: [names.ofChoice(choice.tool)] };
  if (choice.kind === 'allowed') return { mode: choice.mode, only: choice.tools.map(names.ofChoice) };
  return { mode: choice.kind, only: null };
}

const canWait = (choice: ToolChoice): boolean =>
  choice.kind === 'auto' || choice.kind === 'none' || (choice.kind === 'allowed' && choice.mode === 'auto');

/** The tools that may be called, for protocols that cannot narrow a choice to several tools: the others are not shown. */
export function onlyChosen<T extends { readonly name: string }>(tools: readonly T[], choice: Choice | null): readonly T[] {
  const only = choice?.only ? new Set(choice.only) : null;
  return only ? tools.filter(({ name }) => only.has(name)) : tools;
}

/** The description of a tool that is declared only because the conversation has a call of it. */
export const NOT_OFFERED = 'No longer offered.';

/** The tools that the conversation has calls of, each once. */
export function calledNames({ items }: Turn, names: FlatToolNames): readonly string[] {
  return [...new Set(items.flatMap((item) => (item.kind === 'call' ? [names.toWire(item.namespace, item.name)] : [])))];
}

/** The schema of the arguments. Throws `invalid_value` when it exceeds the request's budget. */
export const parametersOf = (tool: CallableTool, { caller }: Turn, work: Work): Readonly<Record<string, unknown>> =>
  tool.kind === 'custom' ? inputSchema : toolSchema(tool.parameters ?? {}, work.on(toolField(tool, caller, 'parameters')));

/** These upstreams cannot enforce a grammar, so the description of the tool holds it. */
export const descriptionOf = (tool: CallableTool): string | null => (tool.kind === 'function' ? tool.description : inputDescription(tool));

/** The free text in the whole arguments of a wrapped tool. */
export function unwrapInput(json: string): string {
  const decoder = new InputDecoder();
  return decoder.push(json) + decoder.end();
}
