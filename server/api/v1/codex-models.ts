/** Writes the list of models in Codex's private format. */
import { z } from 'zod';
import type { Model } from '../../config/config.ts';

/**
 * The part of Codex's private format that version 0.169 requires. Codex rejects the whole list if it can't read one entry, so every entry is validated
 * with this schema before it's sent.
 */
const CodexModel = z.strictObject({
  slug: z.string().min(1),
  display_name: z.string().min(1),
  description: z.string(),
  base_instructions: z.string().min(1),
  default_reasoning_level: z.string(),
  supported_reasoning_levels: z.array(z.strictObject({ effort: z.string(), description: z.string() })).min(1),
  shell_type: z.literal('unified_exec'),
  apply_patch_tool_type: z.literal('freeform'),
  web_search_tool_type: z.enum(['text', 'text_and_image']),
  supports_search_tool: z.boolean(),
  input_modalities: z.array(z.enum(['text', 'image'])),
  visibility: z.literal('list'),
  supported_in_api: z.literal(true),
  priority: z.int().min(1),
  support_verbosity: z.boolean(),
  default_verbosity: z.literal('low').optional(),
  truncation_policy: z.strictObject({ mode: z.literal('tokens'), limit: z.int() }),
  experimental_supported_tools: z.array(z.string()).max(0),
  context_window: z.int().min(1),
});
type CodexModel = z.infer<typeof CodexModel>;
interface CodexSettings {
  readonly contextWindow: number;
}
/** Codex sends this as the complete system prompt of a model that it doesn't know. */
const baseInstructions = [
  'You are a coding agent. You work with the user in one folder of their machine, through the Codex command line.',
  'Read the code before you change it, keep to its style, and change no more than the task needs.',
  'Run commands with the shell tool. Edit files with apply_patch and with nothing else.',
  "Leave changes of others alone, and never discard work that isn't yours.",
  "Test your changes if you can. Report what you did, what you found, and what isn't done.",
  'Continue until the task is done, or until you need a decision by the user.',
].join('\n');
const reasoningLevels = [
  { effort: 'low', description: 'Fast, minimal reasoning' },
  { effort: 'medium', description: 'Balanced, for most tasks' },
  { effort: 'high', description: 'Slow, deep reasoning for hard tasks' },
];
/** Writes the text models. Omits an entry that doesn't match the schema, so that Codex can read the others. */
export function writeCodexModels(models: readonly Model[], settings: CodexSettings): CodexModel[] {
  const textModels = models.filter(({ kind }) => kind === 'text');
  return textModels.flatMap((model, index) => CodexModel.safeParse(writeCodexModel(model, index + 1, settings)).data ?? []);
}
/** Hosted tools are offered only if the model supports the responses protocol. */
function writeCodexModel(model: Model, priority: number, settings: CodexSettings): CodexModel {
  const { id, ownedBy, protocols } = model;
  const hasResponsesApi = protocols.includes('responses');
  const hasVerbosity = hasResponsesApi || protocols.includes('chat');
  return {
    slug: id,
    display_name: id,
    description: `Served by ${ownedBy}.`,
    base_instructions: baseInstructions,
    default_reasoning_level: 'medium',
    supported_reasoning_levels: reasoningLevels,
    shell_type: 'unified_exec',
    apply_patch_tool_type: 'freeform',
    web_search_tool_type: hasResponsesApi ? 'text_and_image' : 'text',
    supports_search_tool: hasResponsesApi,
    input_modalities: model.capabilities?.imageInput === false ? ['text'] : ['text', 'image'],
    visibility: 'list',
    supported_in_api: true,
    priority,
    support_verbosity: hasVerbosity,
    ...(hasVerbosity && { default_verbosity: 'low' }),
    truncation_policy: { mode: 'tokens', limit: 10000 },
    experimental_supported_tools: [],
    context_window: model.contextWindow ?? settings.contextWindow,
  };
}
