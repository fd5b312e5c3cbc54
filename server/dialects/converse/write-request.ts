/** Writes a turn as the body of a Converse request. What the protocol cannot say is refused by the caller's own name for it. */
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
import { toolField } from '../turn/tool-place.ts';
import type { Format, Settings, Turn } from '../turn/turn.ts';
import { Work } from '../turn/work-budget.ts';
import { effortField } from './effort.ts';
import { writeMessages } from './messages.ts';
import { MAX_TOOL_NAME } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

export function writeRequest(turn: Turn, work = new Work()): Body {
  refuseUnsupported(turn);
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const { system: given, items } = readConversation(turn);
  const system = wantsObject(turn) ? [...given, ASK_FOR_OBJECT] : given;
  const messages = writeMessages(items, { names, model: turn.model, param: wordOf(turn, 'items'), work });
  const [tools, inference, effort] = [writeTools(turn, names, work), writeSettings(turn.settings), effortField(turn)];
  return {
    messages: messages.map(({ role, blocks }) => ({ role, content: blocks })),
    ...(system.length > 0 && { system: system.map((text) => ({ text })) }),
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(tools !== null && { toolConfig: tools }),
    ...writeFormat(turn.format),
    ...(effort !== null && { additionalModelRequestFields: effort }),
  };
}

/** What a model may do without, by the caller's names: the effort where the model has no field for it, and a promise to keep to a schema. */
export function leftOut(turn: Turn): readonly string[] {
  const isLost = turn.effort !== null && effortField(turn) === null;
  const strict = callableTools(turn).filter((tool) => tool.kind === 'function' && tool.strict === true);
  return [
    ...(isLost ? [turn.caller === 'chat' ? 'reasoning_effort' : 'reasoning.effort'] : []),
    ...strict.map((tool) => toolField(tool, turn.caller, 'strict')),
  ];
}

function refuseUnsupported(turn: Turn): void {
  const { seed, temperature } = turn.settings;
  refuseCommon(turn);
  refuseLogprobs(turn);
  refusePenalties(turn.settings);
  if (seed !== null) refuse('seed');
  if (temperature !== null && temperature > 1) refuse('temperature', 'its upstream takes 0 to 1');
}

function writeSettings({ maxOutputTokens, temperature, topP, stop }: Settings): Body {
  return {
    ...(maxOutputTokens !== null && { maxTokens: maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
  };
}

/** The schema is written as a text. */
function writeFormat(format: Format): Body {
  if (format.kind !== 'schema') return {};
  const jsonSchema = {
    schema: JSON.stringify(format.schema),
    name: format.name,
    ...(format.description !== null && { description: format.description }),
  };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}

interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly json: Body };
}

/** The protocol has no choice `none`: tools that may not be called are left out, unless the conversation has calls of them. */
function writeTools(turn: Turn, names: FlatToolNames, work: Work): Body | null {
  const tools = callableTools(turn);
  const choice = readChoice(turn, tools, names);
  if (tools.length > 0 && turn.parallelToolCalls === false)
    refuse('parallel_tool_calls', 'its upstream decides itself how many calls it makes at once');
  if (tools.length === 0 || choice?.mode === 'none') return pastTools(turn, names);
  const specs = tools.map((tool) => writeTool(tool, names.toWire(tool.namespace, tool.name), parametersOf(tool, turn, work)));
  const toolChoice = writeChoice(choice);
  return { ...declared(onlyChosen(specs, choice)), ...(toolChoice && { toolChoice }) };
}

const declared = (specs: readonly ToolSpec[]): Body => ({ tools: specs.map((toolSpec) => ({ toolSpec })) });

function pastTools(turn: Turn, names: FlatToolNames): Body | null {
  const called = calledNames(turn, names);
  if (called.length === 0) return null;
  return declared(called.map((name) => ({ name, description: NOT_OFFERED, inputSchema: { json: { type: 'object' } } })));
}

function writeTool(tool: CallableTool, name: string, parameters: Body): ToolSpec {
  const description = descriptionOf(tool);
  // An empty description is refused.
  return { name, ...(description && { description }), inputSchema: { json: parameters } };
}

function writeChoice(choice: Choice | null): Body | null {
  if (choice === null) return null;
  const [name, second] = choice.only ?? [];
  if (choice.mode === 'required' && name !== undefined && second === undefined) return { tool: { name } };
  return choice.mode === 'required' ? { any: {} } : { auto: {} };
}
