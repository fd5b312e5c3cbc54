/** Reads the tools that the caller runs, and the choice among them, for upstreams outside the OpenAI family. */

import { getToolFieldPath } from '../canonical/caller-field-names.ts';
import type { CanonicalRequest, CustomTool, FunctionTool, Tool, ToolChoice } from '../canonical/canonical-request.ts';
import { customInputSchema, describeCustomInput } from '../canonical/custom-input.ts';
import { dedupeTools, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import { toToolSchema } from '../canonical/tool-schema.ts';
import type { WorkBudget } from '../canonical/work-budget.ts';
import { rejectField } from './unsupported-settings.ts';

/** Gemini and Converse have no equivalent for this field. It's dropped, because parallel calls are better than a failed request. */
export const findDroppedParallelCalls = ({ parallelToolCalls, tools }: CanonicalRequest): readonly string[] =>
  parallelToolCalls === false && tools.length > 0 ? ['parallel_tool_calls'] : [];

export type CallableTool = FunctionTool | CustomTool;

const isCallable = (tool: Tool): tool is CallableTool => tool.kind !== 'hosted';

export const getCallableTools = (turn: CanonicalRequest): readonly CallableTool[] => dedupeTools(turn.tools.filter(isCallable));

/** The tools that the model can call. `only` contains flat names, or is null for any tool. */
export interface ToolSelection {
  readonly mode: 'auto' | 'none' | 'required';
  readonly only: readonly string[] | null;
}

/** Null if the request has no tools to choose from, or if the caller set no choice. */
export function readToolSelection(turn: CanonicalRequest, tools: readonly CallableTool[], names: FlatToolNames): ToolSelection | null {
  const choice = turn.toolChoice;
  if (choice === null) return null;
  if (choice.kind === 'hosted') rejectField('tool_choice', "can't force a hosted tool: this model's upstream doesn't run any");
  if (tools.length === 0)
    return isCallOptional(choice)
      ? null
      : rejectField('tool_choice', "requires a tool call, but this model's upstream can't call any of the tools");
  if (choice.kind === 'tool') return { mode: 'required', only: [names.resolveChoice(choice.tool)] };
  if (choice.kind === 'allowed') return { mode: choice.mode, only: choice.tools.map(names.resolveChoice) };
  return { mode: choice.kind, only: null };
}

const isCallOptional = (choice: ToolChoice): boolean =>
  choice.kind === 'auto' || choice.kind === 'none' || (choice.kind === 'allowed' && choice.mode === 'auto');

/** Keeps only the allowed tools, for protocols that can't restrict a choice to several tools. */
export function filterChosenTools<T extends { readonly name: string }>(tools: readonly T[], choice: ToolSelection | null): readonly T[] {
  const allowedNames = choice?.only ? new Set(choice.only) : null;
  return allowedNames ? tools.filter(({ name }) => allowedNames.has(name)) : tools;
}

/** The description of a tool that is declared only because the conversation contains a call to it. */
export const NOT_OFFERED_DESCRIPTION = 'No longer offered.';

/** The tools called in the conversation, without duplicates. */
export function findCalledNames({ items }: CanonicalRequest, names: FlatToolNames): readonly string[] {
  return [...new Set(items.flatMap((item) => (item.kind === 'call' ? [names.toWire(item.namespace, item.name)] : [])))];
}

/** The schema of the arguments. Throws `invalid_value` if it exceeds the request's budget. */
export const getParameters = (tool: CallableTool, { caller }: CanonicalRequest, work: WorkBudget): Readonly<Record<string, unknown>> =>
  tool.kind === 'custom'
    ? customInputSchema
    : toToolSchema(tool.parameters ?? {}, work.forField(getToolFieldPath(tool, caller, 'parameters')));

/** These upstreams can't enforce a grammar, so the tool's description contains it. */
export const getDescription = (tool: CallableTool): string | null =>
  tool.kind === 'function' ? tool.description : describeCustomInput(tool);
