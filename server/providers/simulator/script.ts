/** The answers that a test has scripted for the simulator. */
import { EventEmitter } from 'node:events';
import { parsePattern, type ScriptedAnswer } from '../../config/scripted-answer.ts';
import { isFields } from '../../primitives/fields.ts';
import type { Operation, UpstreamRequest } from '../upstream.ts';
import { getPrompt } from './scenarios.ts';

/** The conditions that match answers to requests. */
interface ScriptRequest {
  readonly operation: Operation;
  readonly model: string;
  /** The text of the last user message, or the prompt of an image. */
  readonly input: string;
  readonly hasToolResult: boolean;
}

type ModelRequest = Pick<UpstreamRequest, 'operation' | 'body'>;

function toScriptRequest({ operation, body }: ModelRequest): ScriptRequest {
  const { model, messages, input } = body.value;
  const items = operation === 'createChatCompletion' ? messages : input;
  const last: unknown = Array.isArray(items) ? items.at(-1) : undefined;
  const hasToolResult = isFields(last) && (RESULT_ROLE.test(String(last.role)) || RESULT_TYPE.test(String(last.type)));
  return { operation, model: String(model), input: getPrompt({ operation, body }), hasToolResult };
}

const RESULT_ROLE = /^(?:tool|function)$/;
const RESULT_TYPE = /_call_output$/;

interface ScriptEntry {
  readonly answer: ScriptedAnswer;
  remaining: number;
}

export class Script {
  /** Emits every request that a scripted answer could match, even if none is left. */
  readonly events = new EventEmitter<{ request: [request: ModelRequest] }>();
  #entries: ScriptEntry[] = [];
  #isUsed: boolean;

  constructor(answers: readonly ScriptedAnswer[] | undefined) {
    this.#isUsed = answers !== undefined;
    for (const answer of answers ?? []) this.add(answer);
  }

  /** Whether a test scripts answers, even if none is left. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** The unused answers. */
  get unused(): readonly ScriptedAnswer[] {
    return this.#entries.flatMap(({ answer, remaining }) => (remaining === answer.times ? [answer] : []));
  }

  add(answer: ScriptedAnswer): void {
    this.#isUsed = true;
    this.#entries.push({ answer, remaining: answer.times });
  }

  clear(): void {
    this.#entries = [];
  }

  /** Returns the answer for the request, and uses it up. */
  find(request: ModelRequest): ScriptedAnswer | null {
    return this.#findEntry(request)?.answer ?? null;
  }

  take(request: ModelRequest): ScriptedAnswer | null {
    this.events.emit('request', request);
    const entry = this.#findEntry(request);
    if (!entry) return null;
    entry.remaining -= 1;
    return entry.answer;
  }

  #findEntry(request: ModelRequest): ScriptEntry | undefined {
    if (this.#entries.length === 0) return undefined;
    const wanted = toScriptRequest(request);
    return this.#entries.find(({ answer, remaining }) => remaining > 0 && isMatch(answer, wanted));
  }
}

function isMatch({ when = {}, text, toolCalls, reasoning, images }: ScriptedAnswer, request: ScriptRequest): boolean {
  const isImage = request.operation === 'generateImages' || request.operation === 'editImages';
  const isForOthers = isImage ? (text ?? toolCalls ?? reasoning) !== undefined : images !== undefined;
  return (
    !isForOthers &&
    (when.model ?? request.model) === request.model &&
    (when.operation ?? request.operation) === request.operation &&
    (when.hasToolResult ?? request.hasToolResult) === request.hasToolResult &&
    (when.input === undefined || isInputMatch(when.input, request.input))
  );
}

function isInputMatch(expected: string, input: string): boolean {
  const pattern = parsePattern(expected);
  return pattern ? pattern.test(input) : input.includes(expected);
}
