/** Every event of a responses stream. Each has `type` and a `sequence_number` that counts from 0 without a gap. */
import { z } from 'zod';
import { errorTypes } from '../errors.ts';
import { Response } from '../responses.ts';
import { Index } from '../shared/bounds.ts';
import { kind } from '../shared/descriptions.ts';
import { OutputItem } from './items.ts';
import { ContentIndex, OutputPart, SummaryText, TextAnnotation, TokenLogprob } from './parts.ts';

const sequence_number = Index.describe('0, 1, 2, … within one stream.');
const item = {
  item_id: z.string().describe('Id of the item that this event is about.'),
  output_index: Index.describe('Index of that item in `output`, from 0.'),
};
const part = { ...item, content_index: ContentIndex };
const summary = { ...item, summary_index: Index.describe('Index of the paragraph of the summary, from 0.') };
const logprobs = z
  .array(TokenLogprob)
  .nullish()
  .describe('Log probabilities of the tokens of this piece. Empty or absent unless `include` asked for them.');
const delta = z.string().describe('The next piece of the text; all pieces in order are the complete text.');
const text = z.string().describe('The complete text, all pieces together.');

function event<const Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, shape: Shape) {
  return z.looseObject({ type: kind(type), sequence_number, ...shape }).meta({ id: componentName(type), description });
}

/** `response.output_text.delta` → `ResponseOutputTextDeltaEvent`, and `error` like `response.error`: `ErrorEvent` is a global of every browser. */
function componentName(type: string): string {
  return `${(type === 'error' ? 'response.error' : type)
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;
}

/** Events about the whole response; a reader that only needs the result reads the last three. */
const lifecycle = {
  created: event('response.created', 'The first event: the response has its id.', {
    response: Response.describe('The response so far; its output is empty.'),
  }),
  queued: event('response.queued', 'The upstream has queued the request.', {
    response: Response.describe('The response so far; its output is empty.'),
  }),
  inProgress: event('response.in_progress', 'The model has begun.', {
    response: Response.describe('The response so far; its output is empty.'),
  }),
  completed: event('response.completed', 'The last event of a stream that succeeded.', {
    response: Response.describe('The whole response with its usage.'),
  }),
  incomplete: event('response.incomplete', 'The last event of an answer that a limit or a filter ended early.', {
    response: Response.describe('The incomplete response with its usage; `incomplete_details` gives the reason.'),
  }),
  failed: event('response.failed', 'The last event of a stream that failed; it follows `error`.', {
    response: Response.describe('The incomplete response; `error` gives the reason.'),
  }),
};

const items = [
  event('response.output_item.added', 'An item of the output begins.', {
    output_index: Index.describe('Its place in `output`, from 0.'),
    item: OutputItem.describe('The item as it begins: without content, status `in_progress`.'),
  }),
  event('response.output_item.done', 'An item of the output ends, complete or incomplete.', {
    output_index: Index.describe('Its place in `output`, from 0.'),
    item: OutputItem.describe('The item with all of its content.'),
  }),
  event('response.content_part.added', 'A part of a message or of a reasoning item begins.', {
    ...part,
    part: OutputPart.describe('The part as it begins: without text.'),
  }),
  event('response.content_part.done', 'A part of a message or of a reasoning item ends.', {
    ...part,
    part: OutputPart.describe('The part with all of its content.'),
  }),
] as const;

const texts = [
  event('response.output_text.delta', 'The next piece of an answer text.', { ...part, delta, logprobs }),
  event('response.output_text.done', 'A text of the answer ends.', { ...part, text, logprobs }),
  event('response.output_text.annotation.added', 'A text of the answer gets an annotation: a source or a file.', {
    ...part,
    annotation_index: Index.describe('Index of the annotation in its part, from 0.'),
    annotation: TextAnnotation.describe('The annotation itself.'),
  }),
  event('response.refusal.delta', 'The next piece of a refusal.', { ...part, delta }),
  event('response.refusal.done', 'A refusal ends.', {
    ...part,
    refusal: z.string().describe('The whole refusal, all pieces together.'),
  }),
] as const;

const calls = [
  event('response.function_call_arguments.delta', 'The next piece of the arguments of a call.', {
    ...item,
    delta: z.string().describe('The next piece of the JSON; a piece alone is not valid JSON.'),
  }),
  event('response.function_call_arguments.done', 'The arguments of a call end.', {
    ...item,
    arguments: z.string().describe('All of the JSON, as the model wrote it.'),
    name: z.string().nullish().describe('Name of the function. Absent when the upstream omits it; the item has it.'),
  }),
  event('response.custom_tool_call_input.delta', 'The next piece of the input of a free-form tool.', { ...item, delta }),
  event('response.custom_tool_call_input.done', 'The input of a free-form tool ends.', {
    ...item,
    input: z.string().describe('All of the input, as the model wrote it.'),
  }),
] as const;

const reasoning = [
  event('response.reasoning_summary_part.added', 'A paragraph of the reasoning summary begins.', {
    ...summary,
    part: SummaryText.describe('The paragraph as it begins: without text.'),
  }),
  event('response.reasoning_summary_part.done', 'A paragraph of the reasoning summary ends.', {
    ...summary,
    part: SummaryText.describe('The paragraph with all of its text.'),
  }),
  event('response.reasoning_summary_text.delta', 'The next piece of a paragraph of the reasoning summary.', { ...summary, delta }),
  event('response.reasoning_summary_text.done', 'The text of a paragraph of the reasoning summary ends.', { ...summary, text }),
  event('response.reasoning_text.delta', 'The next piece of reasoning text.', { ...part, delta }),
  event('response.reasoning_text.done', 'A reasoning text ends.', { ...part, text }),
] as const;

/** Progress of tools that the upstream runs; the gateway forwards their payloads unchanged. */
const hosted = z.looseObject({
  type: z
    .enum([
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
    ])
    .describe('The tool, and the state of the call.'),
  sequence_number,
  ...item,
});

const ERROR_CODE = 'The reason, for programs: an error code of this API.';
const ERROR_MESSAGE = 'What went wrong, for people.';
const ERROR_PARAM = 'The field that caused the error. Null: no field did.';

const ErrorEvent = event('error', 'The stream has failed; `response.failed` follows.', {
  code: z.string().nullish().describe(`${ERROR_CODE} Never absent or null.`),
  message: z.string().describe(ERROR_MESSAGE),
  param: z.string().nullish().describe(ERROR_PARAM),
  error: z
    .looseObject({
      type: z.enum(errorTypes).describe('Coarse class of the error.'),
      code: z.string().nullable().describe(`${ERROR_CODE} Never null.`),
      message: z.string().describe(ERROR_MESSAGE),
      param: z.string().nullable().describe(ERROR_PARAM),
    })
    .nullish()
    .describe('The same error again, nested: some clients read only this form. Never absent.'),
});

export const ResponseStreamEvent = z
  .discriminatedUnion('type', [
    lifecycle.created,
    lifecycle.queued,
    lifecycle.inProgress,
    lifecycle.completed,
    lifecycle.incomplete,
    lifecycle.failed,
    ...items,
    ...texts,
    ...calls,
    ...reasoning,
    hosted.meta({ id: 'HostedToolEvent', description: 'Progress of a tool that the upstream runs; the other fields depend on the type.' }),
    event('keepalive', 'Keeps the connection alive during a long silence, for clients that ignore comment lines.', {}),
    ErrorEvent,
  ])
  .meta({
    id: 'ResponseStreamEvent',
    description:
      'One event of a responses stream. It begins with `response.created` and ends with exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`.',
  });
export type ResponseStreamEvent = z.infer<typeof ResponseStreamEvent>;

/** The types of all events that this contract describes. Newer ones of an upstream pass as they come. */
export const eventTypes: ReadonlySet<unknown> = ResponseStreamEvent._zod.propValues.type ?? new Set();
