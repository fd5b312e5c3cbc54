/** Writes a turn as the body of a Messages request. What the protocol cannot say is refused by the caller's own name for it. */
import { readConversation } from '../non-openai/items.ts';
import { ASK_FOR_OBJECT, wantsObject } from '../non-openai/json-object.ts';
import { refuse, refuseCommon, refuseLogprobs, refusePenalties, wordOf } from '../non-openai/refusal.ts';
import {
  type CallableTool,
  type Choice,
  callableTools,
  calledNames,
  descriptionOf,
  NOT_OFFERED,
  onlyChosen,
  parametersOf,
  readChoice,
} from '../non-openai/tools.ts';
import { type FlatToolNames, flatToolNames } from '../turn/tool-names.ts';
import type { Settings, Turn } from '../turn/turn.ts';
import { Work } from '../turn/work-budget.ts';
import { writeMessages } from './messages.ts';
import { DEFAULT_MAX_TOKENS, MAX_TOOL_NAME } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

export interface WriteOptions {
  /** The protocol wants a limit on every request: this one where the caller sets none. */
  readonly mostTokens?: number | undefined;
  readonly work?: Work | undefined;
}

export function writeRequest(turn: Turn, { mostTokens = DEFAULT_MAX_TOKENS, work = new Work() }: WriteOptions = {}): Body {
  refuseUnsupported(turn);
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const { system: given, items } = readConversation(turn, true);
  const system = wantsObject(turn) ? [...given, ASK_FOR_OBJECT] : given;
  const messages = writeMessages(items, { names, param: wordOf(turn, 'items'), work });
  const tools = writeTools(turn, names, work);
  return {
    model: turn.model,
    max_tokens: turn.settings.maxOutputTokens ?? mostTokens,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: messages.map(({ role, blocks }) => ({ role, content: blocks })),
    ...tools,
    ...writeSettings(turn.settings),
    ...writeThinking(turn, 'tool_choice' in tools ? tools.tool_choice : undefined),
    ...writeOutputConfig(turn),
    ...(turn.stream && { stream: true }),
  };
}

function refuseUnsupported(turn: Turn): void {
  const { seed, temperature } = turn.settings;
  refuseCommon(turn);
  refuseLogprobs(turn);
  refusePenalties(turn.settings);
  if (seed !== null) refuse('seed');
  if (temperature !== null && temperature > 1) refuse('temperature', 'its upstream takes 0 to 1');
}

function writeSettings({ temperature, topP, stop }: Settings): Body {
  return {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  };
}

interface Tools {
  readonly tools?: readonly unknown[];
  readonly tool_choice?: Readonly<Record<string, unknown>>;
}

function writeTools(turn: Turn, names: FlatToolNames, work: Work): Tools {
  const tools = callableTools(turn);
  const choice = readChoice(turn, tools, names);
  if (tools.length === 0) return pastTools(turn, names);
  const written = tools.map((tool) => writeTool(tool, names.toWire(tool.namespace, tool.name), parametersOf(tool, turn, work)));
  const toolChoice = writeChoice(choice, turn.parallelToolCalls === false);
  return { tools: onlyChosen(written, choice), ...(toolChoice && { tool_choice: toolChoice }) };
}

/** A history with calls needs their tools declared, also where none is offered any more, as when an agent asks for a summary. */
function pastTools(turn: Turn, names: FlatToolNames): Tools {
  const tools = calledNames(turn, names).map((name) => ({ name, description: NOT_OFFERED, input_schema: { type: 'object' } }));
  return tools.length === 0 ? {} : { tools, tool_choice: { type: 'none' } };
}

function writeTool(tool: CallableTool, name: string, parameters: Body) {
  const description = descriptionOf(tool);
  return {
    name,
    ...(description !== null && { description }),
    input_schema: parameters,
    ...(tool.kind === 'function' && tool.strict === true && { strict: true }),
  };
}

const modes = { auto: 'auto', none: 'none', required: 'any' } as const;

function writeChoice(choice: Choice | null, isSingle: boolean): Readonly<Record<string, unknown>> | null {
  if (choice?.mode === 'none') return { type: 'none' };
  if (choice === null && !isSingle) return null;
  const single = isSingle && { disable_parallel_tool_use: true };
  const [name, second] = choice?.only ?? [];
  if (choice?.mode === 'required' && name !== undefined && second === undefined) return { type: 'tool', name, ...single };
  return { type: modes[choice?.mode ?? 'auto'], ...single };
}

/** Thinking excludes a forced tool and a temperature of the caller's own; then the effort alone has to say it. */
function writeThinking({ effort, reasoningSummary, settings }: Turn, toolChoice: Tools['tool_choice']): Body {
  if (effort === null) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const isForced = toolChoice?.type === 'any' || toolChoice?.type === 'tool';
  if (isForced || (settings.temperature ?? 1) !== 1) return {};
  return { thinking: { type: 'adaptive', ...(reasoningSummary !== null && { display: 'summarized' }) } };
}

function writeOutputConfig({ effort, format }: Turn): Body {
  const config = {
    ...(effort !== null && effort !== 'none' && { effort: effort === 'minimal' ? 'low' : effort }),
    ...(format.kind === 'schema' && { format: { type: 'json_schema', schema: format.schema } }),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}
