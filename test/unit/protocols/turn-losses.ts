/** The losses of a turn in a request of each OpenAI protocol, each with its reason and as a function. */

import type {
  CanonicalRequest,
  FunctionTool,
  Item,
  Part,
  Settings,
  Tool,
  ToolName,
} from '../../../server/protocols/canonical/canonical-request.ts';
import { customInputSchema, describeCustomInput, wrapCustomInput } from '../../../server/protocols/canonical/custom-input.ts';
import { isPackedReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { createChatToolNames } from '../../../server/protocols/chat/write-tools.ts';
import { gatherAnswers, settleRounds, showBehind } from './chat-order.ts';

export interface Loss {
  readonly what: string;
  readonly why: string;
  /** The turn without it. */
  readonly apply: (turn: CanonicalRequest) => CanonicalRequest;
}

const onItems = (change: (item: Item, turn: CanonicalRequest) => readonly Item[]) => (turn: CanonicalRequest) => ({
  ...turn,
  items: turn.items.flatMap((item) => change(item, turn)),
});
const onParts = (change: (part: Part) => Part) =>
  onItems((item) => ('parts' in item ? [{ ...item, parts: item.parts.map(change) }] : [item]));
const onTools = (change: (tool: Tool, turn: CanonicalRequest) => readonly Tool[]) => (turn: CanonicalRequest) => ({
  ...turn,
  tools: turn.tools.flatMap((tool) => change(tool, turn)),
});
const onSettings = (change: (settings: Settings) => Partial<Settings>) => (turn: CanonicalRequest) => ({
  ...turn,
  settings: { ...turn.settings, ...change(turn.settings) },
});
const noArguments = { type: 'object', properties: {}, additionalProperties: false };

const nothingBut = (fields: Readonly<Record<string, unknown>>, kept: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => kept.includes(name)));
const sharedHints = ['user', 'safety_identifier', 'prompt_cache_key', 'service_tier', 'metadata'];

const path: Loss = {
  what: 'the place where each thing was written',
  why: 'it is another body, with places of its own',
  apply: (turn) => ({
    ...turn,
    items: turn.items.map((item) => ({ ...item, path: '' })),
    tools: turn.tools.map((tool) => ({ ...tool, path: '' })),
  }),
};
const unknown: Loss = {
  what: 'fields that no operation knows',
  why: 'they are reported, not sent',
  apply: (turn) => ({ ...turn, unknown: [] }),
};
const noContent: Loss = {
  what: 'content of no parts',
  why: 'it is written as an empty text, which every vendor takes',
  apply: onItems((item) => ('parts' in item && item.parts.length === 0 ? [{ ...item, parts: [{ kind: 'text', text: '' }] }] : [item])),
};

const plainName =
  ({ tools }: CanonicalRequest) =>
  (tool: ToolName): ToolName => ({ form: 'function', name: createChatToolNames(tools).getChoiceName(tool) });

function flattenChoice(turn: CanonicalRequest): CanonicalRequest {
  const { toolChoice } = turn;
  if (toolChoice?.kind === 'tool') return { ...turn, toolChoice: { ...toolChoice, tool: plainName(turn)(toolChoice.tool) } };
  if (toolChoice?.kind !== 'allowed') return turn;
  return { ...turn, toolChoice: { ...toolChoice, tools: toolChoice.tools.map(plainName(turn)) } };
}

const flattenCalls = onItems((item, { tools }) =>
  item.kind === 'call' ? [{ ...item, name: createChatToolNames(tools).getCallName(item), namespace: null }] : [item],
);
const flattenTools = onTools((tool, { tools }) =>
  tool.kind === 'hosted' ? [tool] : [{ ...tool, name: createChatToolNames(tools).getToolName(tool), namespace: null }],
);

const asFunction = (tool: Tool): FunctionTool[] => {
  if (tool.kind !== 'custom') return tool.kind === 'hosted' ? [] : [tool];
  const { name, namespace, path: place } = tool;
  return [
    {
      kind: 'function',
      name,
      namespace,
      description: describeCustomInput(tool),
      parameters: customInputSchema,
      strict: false,
      path: place,
    },
  ];
};
const callsAsFunctions = onItems((item) => {
  if (item.kind === 'output') return [{ ...item, form: 'function' }];
  return item.kind === 'call' && item.form === 'custom'
    ? [{ ...item, form: 'function', arguments: wrapCustomInput(item.arguments) }]
    : [item];
});

/** They are applied in this order. */
export const chatLosses: readonly Loss[] = [
  { what: 'who asked', why: 'the body is read as that of a chat caller', apply: (turn) => ({ ...turn, caller: 'chat' }) },
  {
    what: 'instructions as a field',
    why: 'chat has none: they are the first system message',
    apply: ({ instructions, ...turn }) => ({
      ...turn,
      instructions: null,
      items: instructions === null ? turn.items : [systemMessage(instructions), ...turn.items],
    }),
  },
  { what: 'thoughts', why: 'chat has no place for them', apply: onItems((item) => (item.kind === 'reasoning' ? [] : [item])) },
  { what: 'searches that are over', why: 'chat has no place for them', apply: onItems((item) => (item.kind === 'foreign' ? [] : [item])) },
  {
    what: 'developer as a role',
    why: 'every chat upstream knows `system`, not all know `developer`',
    apply: onItems((item) => (item.kind === 'message' && item.role === 'developer' ? [{ ...item, role: 'system' }] : [item])),
  },
  {
    what: 'phases',
    why: 'chat has no field for them',
    apply: onItems((item) => (item.kind === 'message' ? [{ ...item, phase: null }] : [item])),
  },
  { what: 'the moment of talk between calls and their results', why: 'results stand right behind calls', apply: settleRounds },
  { what: 'what a result shows', why: 'a tool message is text: the rest is said by the user behind it', apply: showBehind },
  { what: 'parts of what the assistant said', why: 'chat holds one text, one refusal and the calls of an answer', apply: gatherAnswers },
  noContent,
  {
    what: 'the detail `original`',
    why: 'chat knows no more than `high`',
    apply: onParts((part) => (part.kind === 'image' && part.detail === 'original' ? { ...part, detail: 'high' } : part)),
  },
  {
    what: 'namespaces',
    why: 'chat names are flat',
    apply: (turn) => ({
      ...turn,
      items: flattenCalls(turn).items,
      toolChoice: flattenChoice(turn).toolChoice,
      tools: flattenTools(turn).tools,
    }),
  },
  {
    what: 'free-form tools, and searches as tools',
    why: 'not every chat upstream has them: the text travels as the one argument of a function',
    apply: (turn) => ({ ...onTools(asFunction)(turn), items: callsAsFunctions(turn).items }),
  },
  {
    what: 'parameters and strictness left out',
    why: 'absence differs between the protocols, so both are said',
    apply: onTools((tool) =>
      tool.kind === 'function' ? [{ ...tool, parameters: tool.parameters ?? noArguments, strict: tool.strict === true }] : [tool],
    ),
  },
  {
    what: 'the choice among no tools',
    why: 'chat upstreams refuse it',
    apply: (turn) => (turn.tools.length === 0 ? { ...turn, toolChoice: null, parallelToolCalls: null } : turn),
  },
  {
    what: 'strictness of a schema left out',
    why: 'it is said always',
    apply: (turn) => (turn.format.kind === 'schema' ? { ...turn, format: { ...turn.format, strict: turn.format.strict === true } } : turn),
  },
  { what: 'the summary of thoughts', why: 'chat has no field for it', apply: (turn) => ({ ...turn, reasoningSummary: null }) },
  {
    what: 'hints of one protocol alone, and `store`',
    why: 'they change no answer; upstreams keep nothing for us. The usage of a stream is asked for',
    apply: ({ hints, ...turn }) => ({
      ...turn,
      hints: { ...nothingBut(hints, sharedHints), ...(turn.stream && { stream_options: { include_usage: true } }) },
    }),
  },
  unknown,
  path,
];

const systemMessage = (text: string): Item => ({
  kind: 'message',
  role: 'system',
  parts: [{ kind: 'text', text }],
  phase: null,
  name: null,
  path: '',
});

/** A namespace has the position of its first tool. */
function groupTools(turn: CanonicalRequest): CanonicalRequest {
  const spaceOf = (tool: Tool) => (tool.kind === 'hosted' ? null : tool.namespace);
  const placeOf = (tool: Tool) =>
    spaceOf(tool) === null ? turn.tools.indexOf(tool) : turn.tools.findIndex((other) => spaceOf(other) === spaceOf(tool));
  return { ...turn, tools: turn.tools.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

export const responsesLosses: readonly Loss[] = [
  { what: 'who asked', why: 'the body is read as that of a responses caller', apply: (turn) => ({ ...turn, caller: 'responses' }) },
  {
    what: 'thoughts that are not sealed, or that the gateway sealed for another kind of upstream',
    why: 'an upstream that keeps nothing can open neither',
    apply: onItems((item) => (item.kind === 'reasoning' && (item.encrypted === null || isPackedReasoning(item.encrypted)) ? [] : [item])),
  },
  noContent,
  {
    what: 'the detail of a picture left out',
    why: 'SDK types make it a required field: `auto` is its default',
    apply: onParts((part) => (part.kind === 'image' ? { ...part, detail: part.detail ?? 'auto' } : part)),
  },
  { what: 'the order of tools in different namespaces', why: 'those of one namespace stand together', apply: groupTools },
  {
    what: 'parameters left out',
    why: 'upstreams want a schema',
    apply: onTools((tool) => (tool.kind === 'function' ? [{ ...tool, parameters: tool.parameters ?? noArguments }] : [tool])),
  },
  {
    what: 'lengths below 16',
    why: 'the protocol takes no less',
    apply: onSettings(({ maxOutputTokens }) => ({ maxOutputTokens: maxOutputTokens && Math.max(16, maxOutputTokens) })),
  },
  {
    what: 'settings of chat that ask for nothing, and the seed',
    why: 'responses has no field for them; a seed is best effort anyway',
    apply: onSettings(() => ({ n: null, seed: null, presencePenalty: null, frequencyPenalty: null })),
  },
  {
    what: 'hints of one protocol alone, `store` and `include`',
    why: 'the upstream keeps nothing for us, and has to hand over its thoughts',
    apply: ({ hints, ...turn }) => ({
      ...turn,
      hints: {
        ...nothingBut(hints, sharedHints),
        store: false,
        include: ['reasoning.encrypted_content', ...(turn.settings.topLogprobs === null ? [] : ['message.output_text.logprobs'])],
      },
    }),
  },
  unknown,
  path,
];
