/** Every event of a responses stream. Each has `type`, and a `sequence_number` that counts from 0 without gaps. */
import { z } from 'zod';
import { errorTypes } from '../errors.ts';
import { Response } from '../responses.ts';
import { Index } from '../shared/bounds.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { createOpenUnion } from '../shared/open.ts';
import { OutputItem } from './items.ts';
import { ContentIndex, OutputPart, SummaryText, TextAnnotation, TokenLogprob } from './parts.ts';

const sequence_number = Index.describe('The position of the event in the stream, from 0 without gaps.');
const item = {
  item_id: z.string().describe('The ID of the item that this event belongs to.'),
  output_index: Index.describe('Index of that item in `output`, from 0.'),
};
const part = { ...item, content_index: ContentIndex };
const summary = { ...item, summary_index: Index.describe('Index of the summary paragraph, from 0.') };
const logprobs = z
  .array(TokenLogprob)
  .nullish()
  .describe("Log probabilities of the tokens in this piece. Empty or omitted unless the request's `include` asks for them.");
const delta = z.string().describe('The next piece of the text. All pieces in order make up the complete text.');
const text = z.string().describe('The complete text.');

function defineEvent<const Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, shape: Shape) {
  return z.looseObject({ type: createTypeField(type), sequence_number, ...shape }).meta({ id: toComponentName(type), description });
}

/**
 * Names the component: `response.output_text.delta` → `ResponseOutputTextDeltaEvent`.
 * `error` becomes `ResponseErrorEvent`, because `ErrorEvent` is a global in browsers.
 */
function toComponentName(type: string): string {
  return `${(type === 'error' ? 'response.error' : type)
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;
}

/** Events about the response as a whole. Clients that need only the result can read only the last three. */
const lifecycle = {
  created: defineEvent('response.created', 'The first event of a stream: the response was created and has an ID.', {
    response: Response.describe('The response so far, with an empty output.'),
  }),
  queued: defineEvent('response.queued', 'The upstream has queued the request.', {
    response: Response.describe('The response so far, with an empty output.'),
  }),
  inProgress: defineEvent('response.in_progress', 'The model has started generating the response.', {
    response: Response.describe('The response so far, with an empty output.'),
  }),
  completed: defineEvent('response.completed', 'The last event of a stream that succeeded.', {
    response: Response.describe('The complete response, with its usage.'),
  }),
  incomplete: defineEvent('response.incomplete', 'The last event of a stream that a limit or a filter ended early.', {
    response: Response.describe('The incomplete response, with its usage. `incomplete_details` has the reason.'),
  }),
  failed: defineEvent('response.failed', 'The last event of a stream that failed. It follows the `error` event.', {
    response: Response.describe('The incomplete response. `error` has the reason.'),
  }),
};

const items = [
  defineEvent('response.output_item.added', 'An output item was added.', {
    output_index: Index.describe('Index of the item in `output`, from 0.'),
    item: OutputItem.describe('The new item, without content and with the status `in_progress`.'),
  }),
  defineEvent('response.output_item.done', 'An output item is done, complete or incomplete.', {
    output_index: Index.describe('Index of the item in `output`, from 0.'),
    item: OutputItem.describe('The item with all of its content.'),
  }),
  defineEvent('response.content_part.added', 'A part was added to a message or reasoning item.', {
    ...part,
    part: OutputPart.describe('The new part, without text.'),
  }),
  defineEvent('response.content_part.done', 'A part of a message or reasoning item is done.', {
    ...part,
    part: OutputPart.describe('The part with all of its content.'),
  }),
] as const;

const texts = [
  defineEvent('response.output_text.delta', 'The next piece of output text.', { ...part, delta, logprobs }),
  defineEvent('response.output_text.done', 'An output text is done.', { ...part, text, logprobs }),
  defineEvent('response.output_text.annotation.added', 'An annotation, such as a source or a file, was added to an output text.', {
    ...part,
    annotation_index: Index.describe('Index of the annotation in its part, from 0.'),
    annotation: TextAnnotation.describe('The new annotation.'),
  }),
  defineEvent('response.refusal.delta', 'The next piece of a refusal.', { ...part, delta }),
  defineEvent('response.refusal.done', 'A refusal is done.', {
    ...part,
    refusal: z.string().describe('The complete refusal.'),
  }),
] as const;

const calls = [
  defineEvent('response.function_call_arguments.delta', "The next piece of a function call's arguments.", {
    ...item,
    delta: z.string().describe("The next piece of the JSON. A single piece isn't valid JSON."),
  }),
  defineEvent('response.function_call_arguments.done', 'The arguments of a function call are done.', {
    ...item,
    arguments: z.string().describe('The complete JSON arguments, as the model wrote them.'),
    name: z.string().nullish().describe("The name of the function. Omitted if the upstream doesn't send it; the item contains it."),
  }),
  defineEvent('response.custom_tool_call_input.delta', "The next piece of a free-form tool's input.", { ...item, delta }),
  defineEvent('response.custom_tool_call_input.done', 'The input of a free-form tool is done.', {
    ...item,
    input: z.string().describe('The complete input, as the model wrote it.'),
  }),
] as const;

const reasoning = [
  defineEvent('response.reasoning_summary_part.added', 'A paragraph was added to the reasoning summary.', {
    ...summary,
    part: SummaryText.describe('The new paragraph, without text.'),
  }),
  defineEvent('response.reasoning_summary_part.done', 'A paragraph of the reasoning summary is done.', {
    ...summary,
    part: SummaryText.describe('The paragraph with all of its text.'),
  }),
  defineEvent('response.reasoning_summary_text.delta', 'The next piece of a paragraph of the reasoning summary.', { ...summary, delta }),
  defineEvent('response.reasoning_summary_text.done', 'The text of a paragraph of the reasoning summary is done.', { ...summary, text }),
  defineEvent('response.reasoning_text.delta', 'The next piece of reasoning text.', { ...part, delta }),
  defineEvent('response.reasoning_text.done', 'A reasoning text is done.', { ...part, text }),
] as const;

/** Progress of hosted tools. The gateway forwards the payloads unchanged. */
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

const ERROR_CODE = 'The reason, for use in code: an error code of this API.';
const ERROR_MESSAGE = 'A human-readable description of the error.';
const ERROR_PARAM = 'The field that caused the error. Null if no field caused it.';

const ErrorEvent = defineEvent('error', 'The stream has failed. `response.failed` follows.', {
  code: z.string().nullish().describe(`${ERROR_CODE} Never omitted or null.`),
  message: z.string().describe(ERROR_MESSAGE),
  param: z.string().nullish().describe(ERROR_PARAM),
  error: z
    .looseObject({
      type: z.enum(errorTypes).describe('The general category of the error.'),
      code: z.string().nullable().describe(`${ERROR_CODE} Never null.`),
      message: z.string().describe(ERROR_MESSAGE),
      param: z.string().nullable().describe(ERROR_PARAM),
    })
    .nullish()
    .describe('The same error in the nested form, which is the only one that some clients read. Never omitted.'),
});

export const ResponseStreamEvent = createOpenUnion(
  [
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
    hosted.meta({ id: 'HostedToolEvent', description: 'Progress of a tool that the upstream runs. The other fields depend on the type.' }),
    defineEvent('keepalive', 'Keeps the connection open during a long silence, for clients that ignore comment lines.', {}),
    ErrorEvent,
  ],
  {
    id: 'UnknownEvent',
    description: 'An event that is newer than this version of the API, forwarded unchanged. Skip it.',
    shape: { sequence_number },
  },
).meta({
  id: 'ResponseStreamEvent',
  description:
    "One event of a responses stream. The stream starts with `response.created` and ends with exactly one of `response.completed`, `response.incomplete`, and `response.failed`, followed by `data: [DONE]`. Skip events with a type that you don't know: upstreams add new ones.",
});
export type ResponseStreamEvent = z.infer<typeof ResponseStreamEvent>;

/** The types of all events in this contract. The gateway forwards newer events of an upstream unchanged. */
export const eventTypes: ReadonlySet<unknown> = ResponseStreamEvent._zod.propValues.type ?? new Set();
