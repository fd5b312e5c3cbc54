/** What the document says of responses requests over each kind of upstream. */
import { ADDRESS, hint, PNG, type Row, row } from './row.ts';

const flatTool = { type: 'function', name: 'look', parameters: { type: 'object' } };
const inputPart = (part: object) => ({ input: [{ role: 'user', content: [part] }] });
const after = (item: object) => ({ input: [{ role: 'user', content: 'hello' }, item, { role: 'user', content: 'and?' }] });
const flatCall = (text: string) => ({
  input: [
    { role: 'user', content: 'hello' },
    { type: 'function_call', call_id: 'c1', name: 'look', arguments: text },
    { type: 'function_call_output', call_id: 'c1', output: 'seen' },
  ],
  tools: [flatTool],
});

export const responseRows: readonly Row[] = [
  ...(['user', 'safety_identifier', 'prompt_cache_key'] as const).map((name) => hint(`ResponseRequest.${name}`, { [name]: 'marker' })),
  hint('ResponseRequest.metadata', { metadata: { team: 'marker' } }),
  row('ResponseRequest.client_metadata', 'not forwarded', {
    body: { client_metadata: { cwd: 'marker' } },
    mark: 'marker',
    fates: ['left out', 'left out', 'left out', 'left out'],
  }),
  row('ResponseRequest.max_tool_calls', '400 when the upstream does not speak responses', {
    body: { max_tool_calls: 7 },
    mark: 'max_tool_calls',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('ResponseRequest.temperature', 'Anthropic upstreams take 0 to 1 and refuse more with 400', {
    body: { temperature: 1.5 },
    mark: '1.5',
    fates: ['sent', 'sent', 'refused', 'sent'],
  }),
  row('ResponseRequest.top_logprobs', 'Above 0 it is 400 over Anthropic upstreams', {
    body: { include: ['message.output_text.logprobs'], top_logprobs: 3 },
    mark: '"top_logprobs":3',
    fates: ['sent', 'sent', 'refused', ['"logprobs":3']],
  }),
  ...(['presence_penalty', 'frequency_penalty'] as const).map(
    (name): Row =>
      row(`ResponseRequest.${name}`, 'Any other value is 400 over Anthropic upstreams', {
        body: { [name]: 0.5 },
        mark: '0.5',
        fates: ['sent', 'sent', 'refused', 'sent'],
      }),
  ),
  row('ResponseRequest.truncation', 'Others are not sent it', {
    body: { truncation: 'auto' },
    mark: 'truncation',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('ResponseRequest.context_management', 'Others are not sent it', {
    body: { context_management: [{ type: 'marker' }] },
    mark: 'marker',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('ResponseRequest.parallel_tool_calls', 'False is 400 over Gemini upstreams', {
    body: { tools: [flatTool], parallel_tool_calls: false },
    mark: '"parallel_tool_calls":false',
    fates: ['sent', 'sent', ['"disable_parallel_tool_use":true'], 'refused'],
  }),
  ...(['context', 'mode'] as const).map(
    (name): Row =>
      row(`ReasoningOptions.${name}`, 'Sent to responses upstreams only', {
        body: { reasoning: { [name]: 'marker' } },
        mark: 'marker',
        fates: ['left out', 'sent', 'left out', 'left out'],
      }),
  ),
  row('ReasoningOptions.summary', 'Anthropic and Gemini upstreams have no levels of detail, and chat upstreams are not asked', {
    body: { reasoning: { effort: 'high', summary: 'detailed' } },
    mark: 'detailed',
    fates: ['left out', 'sent', ['"summarized"'], ['"includeThoughts":true']],
  }),
  row('JsonSchemaFormat', 'one that speaks chat gets false', {
    body: { text: { format: { type: 'json_schema', name: 'form', schema: { type: 'object' } } } },
    mark: '"strict":false',
    fates: ['sent', 'left out', 'left out', 'left out'],
  }),
  row('InputImage.image_url', 'Gemini upstreams take data URLs alone: an address is 400', {
    body: inputPart({ type: 'input_image', image_url: ADDRESS }),
    mark: ADDRESS,
    fates: ['sent', 'sent', 'sent', 'refused'],
  }),
  row('InputImage.file_id', 'chat, Anthropic and Gemini upstreams refuse an id with 400', {
    body: inputPart({ type: 'input_image', file_id: 'file_marker' }),
    mark: 'file_marker',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('InputImage.detail', 'Chat upstreams are sent `original` as `high`', {
    body: inputPart({ type: 'input_image', image_url: PNG, detail: 'original' }),
    mark: 'original',
    fates: [['"detail":"high"'], 'sent', 'left out', 'left out'],
  }),
  row('InputFile.file_url', 'Chat and Gemini upstreams refuse an address with 400', {
    body: inputPart({ type: 'input_file', file_url: ADDRESS }),
    mark: ADDRESS,
    fates: ['refused', 'sent', 'sent', 'refused'],
  }),
  row('InputFile.file_id', 'Anthropic and Gemini upstreams refuse an id with 400', {
    body: inputPart({ type: 'input_file', file_id: 'file_marker' }),
    mark: 'file_marker',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('InputAudio', 'Anthropic and Gemini upstreams take none: 400', {
    body: inputPart({ type: 'input_audio', input_audio: { data: 'bWFya2Vy', format: 'wav' } }),
    mark: 'bWFya2Vy',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('InputText.prompt_cache_breakpoint', 'Sent when the upstream speaks the protocol of this call', {
    body: inputPart({ type: 'input_text', text: 'hello', prompt_cache_breakpoint: { mode: 'marker' } }),
    mark: 'marker',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('InputMessage.phase', 'Only responses upstreams support it', {
    body: after({ role: 'assistant', content: 'hello', phase: 'final_answer' }),
    mark: 'final_answer',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('PastFunctionCall.arguments', 'need a JSON object or an empty text: another one is 400', {
    body: flatCall('marker'),
    mark: 'marker',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('Compaction', 'Others refuse it with 400', {
    body: after({ type: 'compaction', encrypted_content: 'marker' }),
    mark: 'marker',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('CompactionTrigger', 'Others refuse it with 400', {
    body: { input: [{ role: 'user', content: 'hello' }, { type: 'compaction_trigger' }] },
    mark: 'compaction_trigger',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('ToolSearchCall', 'Upstreams that do not speak responses are not sent it', {
    body: after({ type: 'tool_search_call', call_id: 's1', arguments: { goal: 'marker' } }),
    mark: 'marker',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('ToolSearchOutput', 'Upstreams without such items get these tools in `tools`', {
    body: after({ type: 'tool_search_output', call_id: 's1', tools: [{ ...flatTool, name: 'marker' }] }),
    mark: 'marker',
    fates: ['sent', 'sent', 'sent', 'sent'],
  }),
  row('AdditionalTools', 'Upstreams without such items get them in `tools`', {
    body: after({ type: 'additional_tools', role: 'developer', tools: [{ ...flatTool, name: 'marker' }] }),
    mark: 'marker',
    fates: ['sent', 'sent', 'sent', 'sent'],
  }),
  row('ReplayedItem', 'leave out a `web_search_call` that has ended', {
    body: after({ type: 'web_search_call', status: 'completed', action: { type: 'search' } }),
    mark: 'web_search_call',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('ReplayedItem', 'and refuse the others with 400', {
    body: after({ type: 'shell_call', status: 'completed', action: {} }),
    mark: 'shell_call',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('WebSearchTool', 'When the upstream has none, or it has no price, the tool is left out', {
    body: { tools: [{ type: 'web_search' }] },
    mark: 'web_search',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('WebSearchTool', 'a call whose `tool_choice` requires it is 400', {
    body: { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
    mark: 'web_search',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('McpTool', '400 when the upstream does not speak responses', {
    body: { tools: [{ type: 'mcp', server_label: 'marker' }] },
    mark: 'marker',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('HostedTool', '`tool_search` is left out and named in `x-modelgate-ignored`', {
    body: { tools: [{ type: 'tool_search' }] },
    mark: 'tool_search',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row('HostedTool', 'and the others are 400', {
    body: { tools: [{ type: 'code_interpreter' }] },
    mark: 'code_interpreter',
    fates: ['refused', 'sent', 'refused', 'refused'],
  }),
  row('NamespaceTool', 'Upstreams without namespaces get flat names', {
    body: { tools: [{ type: 'namespace', name: 'zoo', tools: [flatTool] }] },
    mark: '"namespace"',
    fates: [['zoo__look'], 'sent', ['zoo__look'], ['zoo__look']],
  }),
  row('CustomTool', 'Upstreams that support only functions get a function with one string parameter', {
    body: { tools: [{ type: 'custom', name: 'marker' }] },
    mark: '"custom"',
    fates: [['marker', '"input"'], 'sent', ['marker', '"input"'], ['marker', '"input"']],
  }),
  row('ResponseRequest.stream_options.include_obfuscation', 'Sent to responses upstreams', {
    body: { stream: true, stream_options: { include_obfuscation: true } },
    mark: 'include_obfuscation',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
  row(
    'JsonObjectFormat',
    'Anthropic upstreams have no such mode, nor have older Gemini models beside tools: the gateway asks them in the prompt',
    {
      body: { text: { format: { type: 'json_object' } } },
      mark: 'json_object',
      fates: ['sent', 'sent', ['a single JSON object'], ['application/json']],
    },
  ),
  row('PastOutputText.annotations', 'Only responses upstreams read them', {
    body: after({ role: 'assistant', content: [{ type: 'output_text', text: 'hello', annotations: [{ type: 'marker' }] }] }),
    mark: 'marker',
    fates: ['left out', 'sent', 'left out', 'left out'],
  }),
];
