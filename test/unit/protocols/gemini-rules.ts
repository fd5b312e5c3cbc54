/** The rules of the Gemini documentation for a request, as a schema that is independent of the writer. */
import { z } from 'zod';

const name = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/);
const object = z.record(z.string(), z.unknown());
const part = z
  .strictObject({
    text: z.string().optional(),
    thought: z.literal(true).optional(),
    thoughtSignature: z.string().min(1).optional(),
    inlineData: z.strictObject({ mimeType: z.string().min(1), data: z.base64().min(1) }).optional(),
    fileData: z.strictObject({ mimeType: z.string().min(1), fileUri: z.string().min(1) }).optional(),
    functionCall: z.strictObject({ id: z.string().min(1).optional(), name, args: object }).optional(),
    functionResponse: z.strictObject({ id: z.string().min(1).optional(), name, response: object }).optional(),
  })
  .refine(
    (it) => [it.text, it.inlineData, it.fileData, it.functionCall, it.functionResponse].filter((data) => data !== undefined).length === 1,
    {
      error: 'a part holds one thing',
    },
  )
  .refine(({ text, thoughtSignature }) => text !== '' || thoughtSignature !== undefined, { error: 'an empty text carries a signature' });
const content = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part).min(1) });
type Content = z.infer<typeof content>;

const callsOf = ({ parts }: Content) => parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
const resultsOf = ({ parts }: Content) => parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []));
/** Without ids, calls and results are joined by their order. */
const marks = (calls: readonly { readonly id?: string | undefined; readonly name: string }[]) =>
  calls.map((call) => `${call.id} ${call.name}`).join();

function* wrongIn(contents: readonly Content[]): Generator<string> {
  for (const [at, each] of contents.entries()) {
    const { role, parts } = each;
    if (role !== (at % 2 === 0 ? 'user' : 'model')) yield `content ${at} is of the ${role}: user and model take turns`;
    if (role === 'user' && callsOf(each).length > 0) yield `content ${at}: a user makes no calls`;
    if (role === 'model' && resultsOf(each).length > 0) yield `content ${at}: a model gives no results`;
    const before = contents[at - 1];
    if (marks(before ? callsOf(before) : []) !== marks(resultsOf(each)))
      yield `content ${at} does not answer the calls before it, each once and in their order`;
    const last = parts.findLastIndex(({ functionResponse }) => functionResponse !== undefined);
    if (parts.slice(0, last + 1).some(({ functionResponse }) => functionResponse === undefined))
      yield `content ${at} has something ahead of a result`;
    const [first] = parts.filter(({ functionCall }) => functionCall !== undefined);
    if (first && first.thoughtSignature === undefined) yield `content ${at}: the first call carries no signature`;
  }
  if (contents.at(-1)?.parts.some(({ functionCall }) => functionCall !== undefined)) yield 'a call has no result';
}

const declaration = z.strictObject({
  name,
  description: z.string().optional(),
  parametersJsonSchema: z.looseObject({ type: z.literal('object') }),
});

export const geminiBody = z
  .strictObject({
    systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: z.string().min(1) })).min(1) }).optional(),
    contents: z.array(content).min(1),
    tools: z.array(z.strictObject({ functionDeclarations: z.array(declaration).min(1) })).optional(),
    toolConfig: z
      .strictObject({
        functionCallingConfig: z.strictObject({
          mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']),
          allowedFunctionNames: z.array(name).min(1).optional(),
        }),
      })
      .optional(),
    generationConfig: z
      .strictObject({
        maxOutputTokens: z.int().min(1),
        temperature: z.number().min(0).max(2),
        topP: z.number().min(0).max(1),
        stopSequences: z.array(z.string().min(1)).min(1).max(5),
        seed: z.int(),
        presencePenalty: z.number(),
        frequencyPenalty: z.number(),
        responseLogprobs: z.literal(true),
        logprobs: z.int().min(1).max(20),
        responseMimeType: z.literal('application/json'),
        responseJsonSchema: z.looseObject({}),
        thinkingConfig: z.looseObject({}),
      })
      .partial()
      .optional(),
  })
  .superRefine(({ contents, tools = [], toolConfig }, context) => {
    const wrong = [...wrongIn(contents)];
    const names = tools.flatMap(({ functionDeclarations }) => functionDeclarations.map((each) => each.name));
    if (new Set(names).size < names.length) wrong.push('two functions have one name');
    const { mode, allowedFunctionNames } = toolConfig?.functionCallingConfig ?? {};
    if (allowedFunctionNames?.some((each) => !names.includes(each))) wrong.push('the choice names no function');
    // Only these modes may have a list of allowed functions.
    if (allowedFunctionNames && mode !== 'ANY' && mode !== 'VALIDATED') wrong.push(`${mode} cannot be narrowed`);
    for (const what of wrong) context.addIssue({ code: 'custom', message: what });
  });
export type GeminiBody = z.infer<typeof geminiBody>;
