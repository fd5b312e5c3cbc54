/** Writes tools and the tool choice for an upstream that only has functions. */
import { type FlatToolNames, flatToolNames, offeredOnce, type WireTool } from '../turn/tool-names.ts';
import { toolField } from '../turn/tool-place.ts';
import { toolSchema } from '../turn/tool-schema.ts';
import type { CallItem, CustomTool, FunctionTool, Tool, ToolChoice, ToolName, Turn } from '../turn/turn.ts';
import { unsupported } from '../turn/unsupported.ts';
import type { Budget, Work } from '../turn/work-budget.ts';
import { inputDescription, inputSchema } from './custom-input.ts';
import type { Wire } from './write-parts.ts';

/** The longest tool name on chat. */
const LONGEST_NAME = 64;

/** Flat names of tools, to the upstream and back. */
export interface ChatToolNames {
  ofTool(tool: FunctionTool | CustomTool): string;
  ofCall(call: CallItem): string;
  ofChoice(tool: ToolName): string;
  read(name: string): WireTool;
}

export function chatToolNames(tools: readonly Tool[]): ChatToolNames {
  const names: FlatToolNames = flatToolNames(tools, LONGEST_NAME);
  return {
    ofTool: ({ namespace, name }) => names.toWire(namespace, name),
    ofCall: ({ namespace, name }) => names.toWire(namespace, name),
    ofChoice: (tool) => names.ofChoice(tool),
    read: (name) => names.fromWire(name),
  };
}

const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;
const described = (description: string | null) => (description === null ? {} : { description });

/**
 * `strict` is always sent. On responses an absent `strict` means true, but a schema that breaks the strict rules does not fail there.
 * So only a `true` that the caller wrote is kept.
 */
function writeFunction(tool: FunctionTool, name: string, budget: Budget): Wire {
  const { description, parameters, strict } = tool;
  return {
    type: 'function',
    function: {
      name,
      ...described(description),
      parameters: parameters === null ? noArguments : toolSchema(parameters, budget),
      strict: strict === true,
    },
  };
}

function writeCustom(tool: CustomTool, name: string): Wire {
  return { type: 'function', function: { name, ...described(inputDescription(tool)), parameters: inputSchema, strict: false } };
}

function writeTool(tool: FunctionTool | CustomTool, name: string, budget: Budget): Wire {
  return tool.kind === 'function' ? writeFunction(tool, name, budget) : writeCustom(tool, name);
}

function writeChoice(choice: ToolChoice, names: ChatToolNames): unknown {
  const named = (tool: ToolName) => ({ type: 'function', function: { name: names.ofChoice(tool) } });
  switch (choice.kind) {
    case 'tool':
      return named(choice.tool);
    case 'allowed':
      return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: choice.tools.map(named) } };
    case 'hosted':
      throw unsupported('tool_choice', 'The tool that `tool_choice` forces cannot be run by the upstream of this model.');
    default:
      return choice.kind;
  }
}

/** Without tools, chat upstreams refuse `tool_choice`, so it is dropped; it is an error only when the caller requires a call. */
function checkNoTools(choice: ToolChoice | null): void {
  if (choice === null || choice.kind === 'auto' || choice.kind === 'none') return;
  throw unsupported('tool_choice', '`tool_choice` asks for a call, but there is no tool that the upstream of this model could be given.');
}

export function writeTools({ caller, tools, toolChoice, parallelToolCalls }: Turn, names: ChatToolNames, work: Work): Wire {
  const offered = offeredOnce(tools.filter((tool) => tool.kind !== 'hosted'));
  const written = offered.map((tool) => writeTool(tool, names.ofTool(tool), work.on(toolField(tool, caller, 'parameters'))));
  if (written.length === 0) {
    checkNoTools(toolChoice);
    return {};
  }
  return {
    tools: written,
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice, names) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}
