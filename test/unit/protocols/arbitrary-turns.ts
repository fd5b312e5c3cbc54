/** Random legal turns of both callers that the given upstream can express. */
import fc from 'fast-check';
import type {
  CanonicalRequest,
  Format,
  Settings,
  Tool,
  ToolChoice,
  ToolName,
} from '../../../server/protocols/canonical/canonical-request.ts';
import { type CallableTool, type Caller, itemsOf, type Reach, type TurnOptions } from './arbitrary-items.ts';
import { jsonObject, solid, someOf, words } from './arbitrary-values.ts';

const toolName = fc.oneof(
  fc.constantFrom('get_rain', 'apply_patch', 'a', 'a__b', 'b', '7zip', 'x-y'),
  fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/),
  fc.constantFrom('long', 'longer').map((stem) => stem.padEnd(64, '_')),
);

function toolsOf({ caller, upstream }: TurnOptions): fc.Arbitrary<Tool[]> {
  const about = {
    name: caller === 'chat' ? toolName : fc.oneof(toolName, fc.constant('n'.repeat(128))),
    namespace: caller === 'chat' ? fc.constant(null) : fc.constantFrom('mcp', 'a', null, null),
    description: fc.option(words),
    path: fc.constant('somewhere'),
  };
  const kind = fc.constantFrom({ type: 'string' }, { type: ['integer', 'null'] }, { type: 'array', items: { type: 'string' } });
  const schema = fc
    .dictionary(toolName, kind, { maxKeys: 3, noNullPrototype: true })
    .map((properties) => ({ type: 'object', properties, additionalProperties: false }));
  const grammar = fc.record({ syntax: fc.constantFrom('lark', 'regex'), definition: solid });
  const strict = caller === 'chat' ? fc.boolean() : fc.option(fc.boolean());
  const callable: fc.Arbitrary<Tool> = fc.oneof(
    fc.record({ kind: fc.constant('function'), ...about, parameters: fc.option(schema), strict }),
    fc.record({ kind: fc.constant('custom'), ...about, grammar: fc.option(grammar) }),
  );
  const search = fc.constantFrom(
    'web_search',
    'tool_search',
    ...(upstream === 'any' || upstream === 'responses' ? ['file_search', 'mcp'] : []),
  );
  const hosted: fc.Arbitrary<Tool> = search.map((type) => ({
    kind: 'hosted',
    type,
    value: { type, ...(type === 'mcp' && { server_label: 'm' }) },
    path: 'somewhere',
  }));
  const tool = caller === 'chat' ? callable : fc.oneof({ weight: 6, arbitrary: callable }, { weight: 1, arbitrary: hosted });
  return fc.uniqueArray(tool, {
    maxLength: 5,
    selector: (each) => (each.kind === 'hosted' ? each.type : `${each.namespace} ${each.name}`),
  });
}

/** The choices that mean this tool: with its namespace, and without it when the name is unique. */
function choicesOf({ kind, name, namespace }: CallableTool, tools: readonly CallableTool[]): ToolName[] {
  const isAlone = tools.filter((other) => other.name === name).length === 1;
  const plain: ToolName[] = namespace === null || isAlone ? [{ form: kind, name }] : [];
  return namespace === null ? plain : [...plain, { form: kind, name, namespace }];
}

function choiceOf(tools: readonly CallableTool[], { upstream }: TurnOptions): fc.Arbitrary<ToolChoice | null> {
  const free = [fc.constant(null), fc.constantFrom<ToolChoice>({ kind: 'auto' }, { kind: 'none' })];
  const hosted =
    upstream === 'any' || upstream === 'responses' ? [fc.constant<ToolChoice>({ kind: 'hosted', value: { type: 'web_search' } })] : [];
  if (tools.length === 0) return fc.oneof(...free, ...hosted);
  const named = fc.constantFrom(...tools.flatMap((tool) => choicesOf(tool, tools)));
  const some = fc.uniqueArray(named, { minLength: 1, maxLength: 3, selector: ({ namespace, name }) => `${namespace} ${name}` });
  const allowed: fc.Arbitrary<ToolChoice> = fc.record({
    kind: fc.constant('allowed'),
    mode: fc.constantFrom('auto', 'required'),
    tools: some,
  });
  const forced = [fc.constant<ToolChoice>({ kind: 'required' }), named.map((tool): ToolChoice => ({ kind: 'tool', tool }))];
  return fc.oneof(...free, ...forced, allowed, ...hosted);
}

const formatOf = ({ caller, upstream }: TurnOptions): fc.Arbitrary<Format> =>
  fc.oneof(
    fc.constant<Format>({ kind: 'text' }),
    ...(upstream === 'anthropic' ? [] : [fc.constant<Format>({ kind: 'json' })]),
    fc.record({
      kind: fc.constant('schema'),
      name: fc.constantFrom('answer', 'a-b_c'),
      description: fc.option(words),
      schema: jsonObject,
      strict: caller === 'chat' ? fc.boolean() : fc.option(fc.boolean()),
    }),
  );

function settingsOf({ caller, upstream }: TurnOptions): fc.Arbitrary<Settings> {
  const none = fc.constant(null);
  const onChat = <T>(arbitrary: fc.Arbitrary<T>, on: readonly Reach[]) => (caller === 'chat' && on.includes(upstream) ? arbitrary : none);
  const penalty = ['chat', 'gemini', 'any'].includes(upstream) ? fc.constantFrom(null, 0, 1.5, -2) : fc.constantFrom(null, 0);
  const bias = fc.constantFrom(null, { '42': -100, '7': 5 });
  return fc.record({
    maxOutputTokens: caller === 'chat' ? fc.constantFrom(null, 1, 4096) : fc.constantFrom(null, 16, 4096),
    temperature: fc.constantFrom(null, 0, 0.5, 1, ...(upstream === 'anthropic' || upstream === 'converse' ? [] : [2])),
    topP: fc.constantFrom(null, 0, 0.5, 1),
    stop: caller === 'chat' && upstream !== 'responses' ? fc.constantFrom([], ['END'], ['a', 'b\n']) : fc.constant([]),
    n:
      upstream === 'chat' || upstream === 'any'
        ? onChat(fc.constantFrom(null, 1, 3), ['chat', 'any'])
        : onChat(fc.constantFrom(null, 1), [upstream]),
    seed: onChat(fc.constantFrom(null, 7), ['chat', 'responses', 'gemini', 'any']),
    presencePenalty: penalty,
    frequencyPenalty: penalty,
    logitBias: onChat(bias, ['chat', 'any']),
    topLogprobs: upstream === 'anthropic' || upstream === 'converse' ? none : fc.constantFrom(null, 0, 20),
  });
}

const metadata = {
  user: 'u',
  safety_identifier: 's',
  prompt_cache_key: 'k',
  service_tier: 'flex',
  metadata: { team: 'search' },
  store: true,
};
const hintsOf = (caller: Caller): fc.Arbitrary<CanonicalRequest['hints']> =>
  someOf({
    ...metadata,
    ...(caller === 'responses' && { truncation: 'auto', include: ['reasoning.encrypted_content'], client_metadata: { a: 'b' } }),
  });

const extrasOfCaller = {
  chat: { prediction: { type: 'content', content: 'a' }, web_search_options: {} },
  responses: { max_tool_calls: 3 },
} as const;
function extrasOf({ caller, upstream }: TurnOptions): fc.Arbitrary<CanonicalRequest['extras']> {
  if (upstream !== 'any' && upstream !== caller)
    return upstream === 'chat' || upstream === 'responses' ? someOf({ moderation: { model: 'm' } }) : fc.constant({});
  return someOf({ moderation: { model: 'm' }, ...extrasOfCaller[caller] });
}

const isCallable = (tool: Tool): tool is CallableTool => tool.kind !== 'hosted';

export function legalTurns(options: TurnOptions): fc.Arbitrary<CanonicalRequest> {
  const { caller, upstream } = options;
  const canForbidParallel = upstream !== 'gemini' && upstream !== 'converse';
  return toolsOf(options).chain((tools) =>
    fc.record({
      caller: fc.constant(caller),
      model: fc.constant('up-model'),
      stream: fc.boolean(),
      instructions: caller === 'responses' ? fc.option(words) : fc.constant(null),
      items: itemsOf(tools.filter(isCallable), options),
      tools: fc.constant(tools),
      toolChoice: choiceOf(tools.filter(isCallable), options),
      parallelToolCalls: fc.constantFrom(null, true, ...(canForbidParallel ? [false] : [])),
      format: formatOf(options),
      settings: settingsOf(options),
      effort: fc.constantFrom(null, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
      reasoningSummary: caller === 'responses' ? fc.constantFrom(null, 'auto', 'concise', 'detailed') : fc.constant(null),
      verbosity: fc.constantFrom(null, 'low', 'medium', 'high'),
      hints: hintsOf(caller),
      extras: extrasOf(options),
      unknown: fc.constantFrom([], ['brand_new']),
    }),
  );
}
