/**
 * Lists what models accept, by family and version, according to their providers' documentation. Operators override it with `accepts`.
 * docs/decisions/0039-what-models-accept.md has the sources.
 */

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];

/** Fields of sampling and length that a model can reject, by their names in chat. */
export const samplingFields = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'stop'] as const;
export type SamplingField = (typeof samplingFields)[number];

/** How reasoning is requested from a provider: Claude's effort, its adaptive thinking, a budget in tokens, or Gemini's levels. */
export const reasoningForms = ['effort', 'adaptive', 'budget', 'level'] as const;
type ReasoningForm = (typeof reasoningForms)[number];

/** An omitted rule means that the model accepts everything. */
export interface ModelRules {
  /** Empty if the model can't reason. */
  readonly reasoning?: readonly ReasoningForm[] | undefined;
  /** Contains `none` if reasoning can be turned off. */
  readonly efforts?: readonly Effort[] | undefined;
  /** Bounds of a reasoning budget in tokens. */
  readonly budget?: { readonly min: number; readonly max: number } | undefined;
  /** The type of `thinking` that turns it off. Defaults to `disabled`. */
  readonly off?: 'disabled' | 'between_tools' | undefined;
  readonly unsupported?: readonly SamplingField[] | undefined;
  /** Whether `temperature` and `top_p` can be set together. */
  readonly bothSampling?: boolean | undefined;
  /** Whether a conversation can end with an assistant message. */
  readonly prefill?: boolean | undefined;
  /** Whether `tool_choice` can require a call. */
  readonly forcedTools?: boolean | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** Date of the documentation that the rules come from. */
export const MODEL_RULES_DATE = '2026-11-29';

/** A family of models. The first family that matches applies. */
interface ModelFamily {
  /** Its groups are the major and the minor version, if the name has them. */
  readonly name: RegExp;
  /** Rules by the version that they start with, oldest first. */
  readonly from: readonly (readonly [version: `${number}`, rules: ModelRules])[];
}

const createClaudePattern = (word: string): RegExp =>
  new RegExp(`claude-(?:${word}-(\\d+)(?:[-.](\\d{1,2}))?(?!\\d)|(\\d)(?:[-.](\\d))?-${word})`);
const createGeminiPattern = (word: string): RegExp => new RegExp(`gemini-(\\d+)(?:\\.(\\d+))?-${word}(?!-lite)`);

const noSampling = { unsupported: ['temperature', 'top_p'] } as const;
const noReasoning = { reasoning: [], efforts: [] } as const;
const budgetReasoning = { reasoning: ['budget'], efforts: ['none', 'low', 'medium', 'high'], budget: { min: 1024, max: 63_999 } } as const;
const adaptiveReasoning = { reasoning: ['effort', 'adaptive'] } as const;
const allEfforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const claude3: ModelRules = { ...noReasoning, maxOutputTokens: 4096 };
const claude35: ModelRules = { ...noReasoning, maxOutputTokens: 8192 };
const claude4: ModelRules = { ...budgetReasoning, bothSampling: false, maxOutputTokens: 64_000 };
const claude46: ModelRules = {
  ...adaptiveReasoning,
  efforts: ['none', 'low', 'medium', 'high', 'max'],
  bothSampling: false,
  prefill: false,
  maxOutputTokens: 128_000,
};
const claude47: ModelRules = {
  ...adaptiveReasoning,
  ...noSampling,
  efforts: ['none', ...allEfforts],
  prefill: false,
  maxOutputTokens: 128_000,
};
const alwaysThinking: ModelRules = { ...claude47, efforts: allEfforts };

const geminiEfforts = ['minimal', 'low', 'medium', 'high'] as const;
const geminiLevelRules: ModelRules = { reasoning: ['level'], efforts: geminiEfforts };
const newestGemini: ModelRules = {
  reasoning: ['level'],
  efforts: ['low', 'medium', 'high'],
  unsupported: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  prefill: false,
};
const olderGemini: ModelRules = { ...noReasoning, maxOutputTokens: 8192 };
const geminiFlash25: ModelRules = { reasoning: ['budget'], efforts: ['none', ...geminiEfforts], budget: { min: 1, max: 24_576 } };

const families: readonly ModelFamily[] = [
  {
    name: createClaudePattern('opus'),
    from: [
      ['3', claude3],
      ['4', { ...claude4, maxOutputTokens: 32_000 }],
      ['4.5', { ...claude4, reasoning: ['effort', 'budget'] }],
      ['4.6', claude46],
      ['4.7', claude47],
      ['5.5', { ...alwaysThinking, forcedTools: false }],
    ],
  },
  {
    name: createClaudePattern('sonnet'),
    from: [
      ['3', claude3],
      ['3.5', claude35],
      ['3.7', { ...budgetReasoning, maxOutputTokens: 64_000 }],
      ['4', claude4],
      ['4.6', claude46],
      ['5', claude47],
      ['5.5', { ...claude47, off: 'between_tools', forcedTools: false }],
    ],
  },
  {
    name: createClaudePattern('haiku'),
    from: [
      ['3', claude3],
      ['3.5', claude35],
      ['4.5', claude4],
      ['5', claude47],
    ],
  },
  {
    name: createClaudePattern('fable'),
    from: [
      ['5', alwaysThinking],
      ['5.1', { ...alwaysThinking, forcedTools: false }],
    ],
  },
  {
    name: /claude-mythos-preview/,
    from: [['0', { ...alwaysThinking, efforts: ['low', 'medium', 'high', 'max'], forcedTools: false }]],
  },
  {
    name: createClaudePattern('mythos'),
    from: [
      ['5', alwaysThinking],
      ['5.1', { ...alwaysThinking, forcedTools: false }],
    ],
  },
  {
    name: createGeminiPattern('pro'),
    from: [
      ['1', olderGemini],
      ['2.5', { reasoning: ['budget'], efforts: geminiEfforts, budget: { min: 128, max: 32_768 } }],
      ['3', { reasoning: ['level'], efforts: ['low', 'high'] }],
      ['3.1', { reasoning: ['level'], efforts: ['low', 'medium', 'high'] }],
      ['3.2', newestGemini],
    ],
  },
  {
    name: createGeminiPattern('flash-lite'),
    from: [
      ['1', olderGemini],
      ['2.5', { ...geminiFlash25, budget: { min: 512, max: 24_576 } }],
      ['3', geminiLevelRules],
      ['3.5', { ...newestGemini, efforts: geminiEfforts }],
    ],
  },
  {
    name: createGeminiPattern('flash'),
    from: [
      ['1', olderGemini],
      ['2.5', geminiFlash25],
      ['3', geminiLevelRules],
      ['3.6', { ...newestGemini, efforts: geminiEfforts }],
      ['3.7', newestGemini],
    ],
  },
  // Other names of the newest generation, such as gemini-flash-latest and gemini-4-argon.
  { name: /gemini-(?:[4-9]|\d{2}|.*latest)/, from: [['0', newestGemini]] },
  { name: /claude-(?:[a-z]+-)?\d/, from: [['0', { ...alwaysThinking, forcedTools: false }]] },
  {
    name: /kimi-k(\d)(?:[.-](\d)(?!\d))?/,
    from: [
      ['0', {}],
      ['2.5', { unsupported: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] }],
    ],
  },
  { name: /grok-.*non-reasoning/, from: [['0', {}]] },
  {
    name: /grok-(\d)(?:[.-](\d{1,2})(?!\d))?/,
    from: [
      ['0', {}],
      ['4', { unsupported: ['presence_penalty', 'frequency_penalty', 'stop'] }],
    ],
  },
];

const toOrdinal = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 100 + minor;
};

/** Returns the rules of a model by its name at a provider, such as `us.anthropic.claude-haiku-4-5-20251001-v1:0`. Undefined for unknown names. */
export function findModelRules(model: string): ModelRules | undefined {
  for (const { name, from: versions } of families) {
    const match = name.exec(model.toLowerCase());
    if (!match) continue;
    const [major, minor = '0'] = match.slice(1).filter((group) => group !== undefined);
    const version = major === undefined ? Number.POSITIVE_INFINITY : toOrdinal(`${major}.${minor}`);
    return versions.findLast(([first]) => toOrdinal(first) <= version)?.[1];
  }
  return undefined;
}

/** Describes rules in one line. */
export function describeModelRules({
  efforts,
  reasoning = [],
  unsupported = [],
  prefill,
  forcedTools,
  maxOutputTokens,
}: ModelRules): string {
  const rejectedFeatures = [
    ...unsupported,
    ...(prefill === false ? ['assistant message at the end'] : []),
    ...(forcedTools === false ? ['required tool call'] : []),
  ];
  return [
    ...(efforts === undefined
      ? []
      : [efforts.length === 0 ? 'no reasoning' : `efforts ${efforts.join(', ')} as ${reasoning.join(' and ')}`]),
    ...(rejectedFeatures.length === 0 ? [] : [`rejects ${rejectedFeatures.join(', ')}`]),
    ...(maxOutputTokens === undefined ? [] : [`up to ${maxOutputTokens} output tokens`]),
  ].join('; ');
}

/** Calls that a model's provider rejects over chat but accepts over responses, from fewest to most. */
export const chatRejections = ['never', 'tools-with-reasoning', 'tools', 'always'] as const;

export type ChatRejection = (typeof chatRejections)[number];

/** OpenAI models by the start of their names. The first match applies. Snapshots with a date after the name are the same model. */
const knownRejections: readonly (readonly [name: RegExp, refuses: ChatRejection])[] = [
  [/^(?:gpt-5(?:\.\d+)?|o[13])-pro\b|\bcodex\b/, 'always'],
  [/^gpt-5\.[2-5](?![\d.])/, 'tools-with-reasoning'],
  [/^gpt-(?:5\.[6-9]|[6-9])(?!\d)/, 'tools'],
];

export const findChatRejection = (model: string): ChatRejection | undefined => knownRejections.find(([name]) => name.test(model))?.[1];
