/** Shortened requests of Codex 0.169, with the fields and items that other clients do not send. */
type Fields = Readonly<Record<string, unknown>>;

const text = (words: string) => [{ type: 'input_text', text: words }];
const message = (role: string, words: string, id: string): Fields => ({ type: 'message', id: `msg_${id}`, role, content: text(words) });

const functionTool = (name: string, field: string): Fields => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  strict: false,
  parameters: {
    type: 'object',
    properties: { [field]: { type: 'string' }, limit: { type: 'number', description: 'At most so many.' } },
    required: [field],
    additionalProperties: false,
  },
});

export const grammar =
  'start: begin hunk+ end\nbegin: "*** Begin Patch" LF\nhunk: /(.+)/ LF\nend: "*** End Patch" LF?\n\n%import common.LF\n';
const applyPatch: Fields = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files by a patch.',
  format: { type: 'grammar', syntax: 'lark', definition: grammar },
};

const agents: Fields = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Other agents.',
  tools: [functionTool('close_agent', 'target'), functionTool('spawn_agent', 'message')],
};

const offered: readonly Fields[] = [
  functionTool('exec_command', 'cmd'),
  applyPatch,
  agents,
  { type: 'tool_search', execution: 'client', description: 'Finds more tools.', parameters: functionTool('', 'query').parameters },
  { type: 'web_search', external_web_access: true, search_content_types: ['text', 'image'] },
];

/** Two tool calls of an earlier answer, with the reasoning before them and their results. */
const replayed: readonly Fields[] = [
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'A look first.' }],
    content: null,
    encrypted_content: 'c2VhbGVk',
  },
  { type: 'function_call', status: 'completed', id: 'fc_1', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'call_1' },
  { type: 'custom_tool_call', status: 'completed', id: 'ctc_1', name: 'apply_patch', input: '*** Begin Patch\n"é"\n', call_id: 'call_2' },
  { type: 'function_call', id: 'fc_3', name: 'close_agent', namespace: 'multi_agent_v1', arguments: '{"target":"a"}', call_id: 'call_3' },
  { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: 'note.txt' },
  { type: 'custom_tool_call_output', id: 'ctco_2', call_id: 'call_2', output: text('patched') },
  { type: 'function_call_output', id: 'fco_3', call_id: 'call_3', output: 'closed' },
];

const opening: readonly Fields[] = [
  message('developer', 'You are a coding agent.', '1'),
  message('developer', 'These are your skills.', '2'),
  message('user', 'The folder is empty.', '3'),
  message('user', 'Leave a note.', '4'),
];

const common: Fields = {
  stream: true,
  tool_choice: 'auto',
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'thread-1',
  client_metadata: { thread_id: 'thread-1', 'x-codex-turn-metadata': '{"sandbox":"none"}' },
};

/** A request in the middle of a turn, for a model that Codex knows. */
export const usualRequest: Fields = {
  model: 'gpt-5.5',
  input: [...opening, ...replayed],
  tools: offered,
  parallel_tool_calls: true,
  reasoning: { effort: 'medium' },
  text: { verbosity: 'low' },
  ...common,
};

/** A request for a light model: no field `tools`; all tools are in the input. */
export const lightRequest: Fields = {
  model: 'codex-auto-review',
  input: [
    {
      type: 'additional_tools',
      id: 'at_1',
      role: 'developer',
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: '',
          tools: [{ type: 'custom', name: 'exec', description: 'Runs code.', format: { type: 'text' } }, functionTool('wait', 'cell')],
        },
      ],
    },
    ...opening,
  ],
  parallel_tool_calls: false,
  reasoning: { effort: 'low', context: 'all_turns' },
  ...common,
};

/** A request with which Codex itself summarises a session: no tools, and a last message that asks for the summary. */
export const summaryRequest: Fields = {
  ...usualRequest,
  input: [...opening, ...replayed, message('user', 'Sum it all up.', '9')],
  tools: [],
};

/** A request that asks the upstream to summarise the session. */
export const compactionRequest: Fields = { ...usualRequest, input: [...opening, ...replayed, { type: 'compaction_trigger' }] };

export const codexHeaders: Readonly<Record<string, string>> = {
  accept: 'text/event-stream',
  originator: 'codex_exec',
  'user-agent': 'codex_exec/0.169.0 (Debian 12.0.0; x86_64) unknown (codex_exec; 0.169.0)',
  'session-id': 'thread-1',
  'thread-id': 'thread-1',
  'x-client-request-id': 'thread-1',
  'x-codex-window-id': 'thread-1:0',
  'x-codex-turn-metadata': '{"sandbox":"none"}',
  'x-codex-beta-features': 'remote_compaction_v2',
  'x-openai-internal-codex-responses-lite': 'true',
};
