/** Every event of a responses stream (specification part 6). Each has `type` and a `sequence_number` that counts from 0 without a gap. */
import { z } from 'zod';
import { Index } from './bounds.ts';
import { errorTypes } from './errors.ts';
import { OutputItem } from './response-items.ts';
import { OutputPart, SummaryText, TextAnnotation, TokenLogprob } from './response-parts.ts';
import { Response } from './responses.ts';

const sequence_number = Index.describe('0, 1, 2, … within one stream.');
const item = { item_id: z.string(), output_index: Index };
const part = { ...item, content_index: Index };
const summary = { ...item, summary_index: Index };
const logprobs = z.array(TokenLogprob).nullish();

/** Named by its type, unless a name is given: `ErrorEvent` is a global of every browser. */
function event<const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape, id = componentName(type)) {
  return z.looseObject({ type: z.literal(type), sequence_number, ...shape }).meta({ id });
}

/** `response.output_text.delta` → `ResponseOutputTextDeltaEvent`. */
function componentName(type: string): string {
  return `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;
}

const lifecycle = {
  created: event('response.created', { response: Response }),
  queued: event('response.queued', { response: Response }),
  inProgress: event('response.in_progress', { response: Response }),
  completed: event('response.completed', { response: Response }),
  incomplete: event('response.incomplete', { response: Response }),
  failed: event('response.failed', { response: Response }),
};

const texts = [
  event('response.output_text.delta', { ...part, delta: z.string(), logprobs }),
  event('response.output_text.done', { ...part, text: z.string(), logprobs }),
  event('response.output_text.annotation.added', { ...part, annotation_index: Index, annotation: TextAnnotation }),
  event('response.refusal.delta', { ...part, delta: z.string() }),
  event('response.refusal.done', { ...part, refusal: z.string() }),
] as const;

const calls = [
  event('response.function_call_arguments.delta', { ...item, delta: z.string() }),
  event('response.function_call_arguments.done', { ...item, arguments: z.string(), name: z.string().nullish() }),
  event('response.custom_tool_call_input.delta', { ...item, delta: z.string() }),
  event('response.custom_tool_call_input.done', { ...item, input: z.string() }),
] as const;

const reasoning = [
  event('response.reasoning_summary_part.added', { ...summary, part: SummaryText }),
  event('response.reasoning_summary_part.done', { ...summary, part: SummaryText }),
  event('response.reasoning_summary_text.delta', { ...summary, delta: z.string() }),
  event('response.reasoning_summary_text.done', { ...summary, text: z.string() }),
  event('response.reasoning_text.delta', { ...part, delta: z.string() }),
  event('response.reasoning_text.done', { ...part, text: z.string() }),
] as const;

/** Progress of tools that the upstream runs; their own payloads are handed on. */
const hosted = z.looseObject({
  type: z.enum([
    ...(['response.web_search_call.in_progress', 'response.web_search_call.searching', 'response.web_search_call.completed'] as const),
    ...(['response.file_search_call.in_progress', 'response.file_search_call.searching', 'response.file_search_call.completed'] as const),
    ...(['response.code_interpreter_call.in_progress', 'response.code_interpreter_call.interpreting'] as const),
    ...(['response.code_interpreter_call.completed', 'response.code_interpreter_call_code.delta'] as const),
    ...(['response.code_interpreter_call_code.done', 'response.image_generation_call.in_progress'] as const),
    ...(['response.image_generation_call.generating', 'response.image_generation_call.partial_image'] as const),
    ...(['response.image_generation_call.completed', 'response.mcp_call.in_progress', 'response.mcp_call.completed'] as const),
    ...(['response.mcp_call.failed', 'response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done'] as const),
    ...(['response.mcp_list_tools.in_progress', 'response.mcp_list_tools.completed', 'response.mcp_list_tools.failed'] as const),
    ...(['response.shell_call.in_progress', 'response.shell_call.completed'] as const),
  ]),
  sequence_number,
  ...item,
});

const failure = {
  code: z.string().nullish(),
  message: z.string(),
  param: z.string().nullish(),
  error: z
    .looseObject({ type: z.enum(errorTypes), code: z.string().nullable(), message: z.string(), param: z.string().nullable() })
    .nullish()
    .describe('The same once more, nested: some clients read only this form.'),
};
const ErrorEvent = event('error', failure, 'ResponseErrorEvent');

export const ResponseStreamEvent = z
  .discriminatedUnion('type', [
    lifecycle.created,
    lifecycle.queued,
    lifecycle.inProgress,
    lifecycle.completed,
    lifecycle.incomplete,
    lifecycle.failed,
    event('response.output_item.added', { output_index: Index, item: OutputItem }),
    event('response.output_item.done', { output_index: Index, item: OutputItem }),
    event('response.content_part.added', { ...part, part: OutputPart }),
    event('response.content_part.done', { ...part, part: OutputPart }),
    ...texts,
    ...calls,
    ...reasoning,
    hosted.meta({ id: 'HostedToolEvent' }),
    event('keepalive', {}),
    ErrorEvent,
  ])
  .meta({
    id: 'ResponseStreamEvent',
    description:
      'One event of a responses stream. It opens with `response.created` and ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`.',
  });
export type ResponseStreamEvent = z.infer<typeof ResponseStreamEvent>;
