/** Writes the tools of a chat request, and maps their names. */

import { getToolFieldPath } from '../canonical/caller-field-names.ts';
import type { CallItem, CanonicalRequest, CustomTool, FunctionTool, Tool, ToolChoice, ToolName } from '../canonical/canonical-request.ts';
import { customInputSchema, describeCustomInput } from '../canonical/custom-input.ts';
import { createUnsupportedError } from '../canonical/dropped-fields.ts';
import { createFlatToolNames, dedupeTools, type FlatToolNames, type WireTool } from '../canonical/flat-tool-names.ts';
import { toToolSchema } from '../canonical/tool-schema.ts';
import type { Budget, WorkBudget } from '../canonical/work-budget.ts';
import type { WireObject } from './wire.ts';

/** The maximum length of a tool name in chat. */
const MAX_NAME = 64;

/** Converts tool names to flat names for the upstream, and back. */
export interface ChatToolNames {
  getToolName(tool: FunctionTool | CustomTool): string;
  getCallName(call: CallItem): string;
  getChoiceName(tool: ToolName): string;
  read(name: string): WireTool;
}

export function createChatToolNames(tools: readonly Tool[]): ChatToolNames {
  const names: FlatToolNames = createFlatToolNames(tools, MAX_NAME);
  return {
    getToolName: ({ namespace, name }) => names.toWire(namespace, name),
    getCallName: ({ namespace, name }) => names.toWire(namespace, name),
    getChoiceName: (tool) => names.resolveChoice(tool),
    read: (name) => names.fromWire(name),
  };
}

const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;

const toDescriptionField = (description: string | null) => (description === null ? {} : { description });

/**
 * `strict` is always sent. In Responses, an absent `strict` means true, but a schema that breaks the strict rules doesn't fail there. So only an
 * explicit `true` is kept.
 */
function writeFunction(tool: FunctionTool, name: string, budget: Budget): WireObject {
  const { description, parameters, strict } = tool;
  return {
    type: 'function',
    function: {
      name,
      ...toDescriptionField(description),
      parameters: parameters === null ? noArguments : toToolSchema(parameters, budget),
      strict: strict === true,
    },
  };
}

function writeCustom(tool: CustomTool, name: string): WireObject {
  return {
    type: 'function',
    function: { name, ...toDescriptionField(describeCustomInput(tool)), parameters: customInputSchema, strict: false },
  };
}

function writeTool(tool: FunctionTool | CustomTool, name: string, budget: Budget): WireObject {
  return tool.kind === 'function' ? writeFunction(tool, name, budget) : writeCustom(tool, name);
}

function writeChoice(choice: ToolChoice, names: ChatToolNames): unknown {
  const toFunctionChoice = (tool: ToolName) => ({ type: 'function', function: { name: names.getChoiceName(tool) } });
  switch (choice.kind) {
    case 'tool':
      return toFunctionChoice(choice.tool);
    case 'allowed':
      return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: choice.tools.map(toFunctionChoice) } };
    case 'hosted':
      throw createUnsupportedError('tool_choice', "'tool_choice' can't force this tool: this model's upstream doesn't run it.");
    default:
      return choice.kind;
  }
}

/** Chat upstreams reject `tool_choice` without tools, so it's dropped. Throws only if the caller requires a call. */
function rejectRequiredCall(choice: ToolChoice | null): void {
  if (choice === null || choice.kind === 'auto' || choice.kind === 'none') return;
  throw createUnsupportedError('tool_choice', "'tool_choice' requires a tool call, but this model's upstream can't call any of the tools.");
}

export function writeTools(
  { caller, tools, toolChoice, parallelToolCalls }: CanonicalRequest,
  names: ChatToolNames,
  work: WorkBudget,
): WireObject {
  const callableTools = dedupeTools(tools.filter((tool) => tool.kind !== 'hosted'));
  const toolDefinitions = callableTools.map((tool) =>
    writeTool(tool, names.getToolName(tool), work.forField(getToolFieldPath(tool, caller, 'parameters'))),
  );
  if (toolDefinitions.length === 0) {
    rejectRequiredCall(toolChoice);
    return {};
  }
  return {
    tools: toolDefinitions,
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice, names) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}
