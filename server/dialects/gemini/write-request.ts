/** Writes a turn as the body of a generateContent request. What the protocol cannot say is refused by the caller's own name for it. */
import { readConversation } from '../non-openai/items.ts';
import { ASK_FOR_OBJECT, wantsObject } from '../non-openai/json-object.ts';
import { refuse, refuseCommon, wantsLogprobs, wordOf } from '../non-openai/refusal.ts';
import { type CallableTool, type Choice, callableTools, descriptionOf, parametersOf, readChoice } from '../non-openai/tools.ts';
import { type FlatToolNames, flatToolNames } from '../turn/tool-names.ts';
import type { Effort, Format, Settings, Turn } from '../turn/turn.ts';
import { Work } from '../turn/work-budget.ts';
import { writeContents } from './contents.ts';
import { isOldModel, MAX_TOOL_NAME } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

/** Older models take no form of an answer beside functions. */
export const asksInWords = (turn: Turn): boolean => wantsObject(turn) && isOldModel(turn.model) && callableTools(turn).length > 0;

export function writeRequest(turn: Turn, work = new Work()): Body {
  refuseCommon(turn);
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const { system: given, items } = readConversation(turn);
  const isInWords = asksInWords(turn);
  const system = isInWords ? [...given, ASK_FOR_OBJECT] : given;
  const format = isInWords ? {} : writeFormat(turn.format);
  const config = { ...writeSettings(turn.settings), ...writeLogprobs(turn), ...format, ...writeThinking(turn) };
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    contents: writeContents(items, { names, model: turn.model, param: wordOf(turn, 'items'), work }),
    ...writeTools(turn, names, work),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

function writeSettings(settings: Settings): Body {
  const { maxOutputTokens, temperature, topP, stop, presencePenalty, frequencyPenalty, seed } = settings;
  if (seed !== null && seed !== Math.trunc(seed)) refuse('seed', 'its upstream takes whole numbers');
  return {
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(seed !== null && { seed }),
    // Not every model takes a penalty; zero is none.
    ...(presencePenalty ? { presencePenalty } : {}),
    ...(frequencyPenalty ? { frequencyPenalty } : {}),
  };
}

function writeLogprobs(turn: Turn): Body {
  if (!wantsLogprobs(turn)) return {};
  const { topLogprobs } = turn.settings;
  return { responseLogprobs: true, ...(topLogprobs ? { logprobs: topLogprobs } : {}) };
}

function writeFormat(format: Format): Body {
  if (format.kind === 'text') return {};
  return { responseMimeType: 'application/json', ...(format.kind === 'schema' && { responseJsonSchema: format.schema }) };
}

const levels: Readonly<Record<Effort, string>> = {
  // Thinking cannot be switched off with levels; this is the least of it.
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};
/** In tokens, the sizes that the vendor itself gives to these words. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

function writeThinking({ model, effort, reasoningSummary }: Turn): Body {
  const config = {
    ...(effort !== null && (isOldModel(model) ? { thinkingBudget: budgets[effort] } : { thinkingLevel: levels[effort] })),
    ...(reasoningSummary !== null && { includeThoughts: true }),
  };
  return Object.keys(config).length > 0 ? { thinkingConfig: config } : {};
}

function writeTools(turn: Turn, names: FlatToolNames, work: Work): Body {
  const tools = callableTools(turn);
  const choice = readChoice(turn, tools, names);
  if (tools.length === 0) return {};
  if (turn.parallelToolCalls === false) refuse('parallel_tool_calls', 'its upstream decides itself how many calls it makes at once');
  const config = writeChoice(choice, tools);
  return {
    tools: [
      {
        functionDeclarations: tools.map((tool) => writeTool(tool, names.toWire(tool.namespace, tool.name), parametersOf(tool, turn, work))),
      },
    ],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function writeTool(tool: CallableTool, name: string, parameters: Body) {
  const description = descriptionOf(tool);
  return {
    name,
    ...(description !== null && { description }),
    parametersJsonSchema: parameters,
  };
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** `VALIDATED` lets the model talk or call, and holds a call to its schema: what `strict` asks for, and the way to narrow a free choice. */
function writeChoice(choice: Choice | null, tools: readonly CallableTool[]): Body | null {
  const mode = choice?.mode ?? 'auto';
  const isStrict = tools.some((tool) => tool.kind === 'function' && tool.strict === true);
  if (choice === null && !isStrict) return null;
  const isValidated = mode === 'auto' && (isStrict || choice?.only);
  return { mode: isValidated ? 'VALIDATED' : modes[mode], ...(choice?.only && { allowedFunctionNames: choice.only }) };
}
