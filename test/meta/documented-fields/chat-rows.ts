/** What the document says of chat requests over each kind of upstream. */
import { ADDRESS, hint, PNG, type Row, row } from './row.ts';

const functionTool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const userPart = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
const chatCall = (text: string) => ({
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: text } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'seen' },
  ],
  tools: [functionTool],
});

export const chatRows: readonly Row[] = [
  ...(['user', 'safety_identifier', 'prompt_cache_key'] as const).map((name) =>
    hint(`ChatCompletionRequest.${name}`, { [name]: 'marker' }),
  ),
  hint('ChatCompletionRequest.metadata', { metadata: { team: 'marker' } }),
  row('ServiceTier', 'Anthropic and Gemini upstreams are not sent it', {
    body: { service_tier: 'flex' },
    mark: 'flex',
    fates: ['sent', 'sent', 'left out', 'left out'],
  }),
  row('Verbosity', 'Anthropic and Gemini upstreams have no such option and are not sent it', {
    body: { verbosity: 'low' },
    mark: '"low"',
    fates: ['sent', 'sent', 'left out', 'left out'],
  }),
  row('PromptCacheOptions', 'Sent to upstreams that speak chat or responses, left out for others', {
    body: { prompt_cache_options: { ttl: 'marker' } },
    mark: 'marker',
    fates: ['sent', 'sent', 'left out', 'left out'],
  }),
  row('ChatCompletionRequest.prompt_cache_retention', 'left out for Anthropic and Gemini upstreams', {
    body: { prompt_cache_retention: '24h' },
    mark: '24h',
    fates: ['sent', 'sent', 'left out', 'left out'],
  }),
  row('TextModeration', 'Anthropic and Gemini upstreams refuse it with 400', {
    body: { moderation: { model: 'marker' } },
    mark: 'marker',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.store', 'the gateway tells upstreams to store nothing', {
    body: { store: true },
    mark: '"store":true',
    fates: [['"store":false'], ['"store":false'], 'left out', 'left out'],
  }),
  row('ChatCompletionRequest.temperature', 'Anthropic upstreams take 0 to 1 and refuse more with 400', {
    body: { temperature: 1.5 },
    mark: '1.5',
    fates: ['sent', 'sent', 'refused', 'sent'],
  }),
  row('ChatCompletionRequest.n', 'only when the upstream speaks chat; others refuse it with 400', {
    body: { n: 2 },
    mark: '"n":2',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.stop', 'Refused with 400 when the model is served over responses', {
    body: { stop: ['marker'] },
    mark: 'marker',
    fates: ['sent', 'refused', 'sent', 'sent'],
  }),
  ...(['presence_penalty', 'frequency_penalty'] as const).map((name) =>
    row(`ChatCompletionRequest.${name}`, 'Any other value is 400 over responses and Anthropic upstreams', {
      body: { [name]: 0.5 },
      mark: '0.5',
      fates: ['sent', 'refused', 'refused', 'sent'],
    }),
  ),
  row('ChatCompletionRequest.logit_bias', 'Refused with 400 unless the upstream speaks chat', {
    body: { logit_bias: { 50256: 7 } },
    mark: '50256',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.logprobs', 'True is 400 over Anthropic upstreams', {
    body: { logprobs: true },
    mark: 'logprobs',
    fates: ['sent', 'sent', 'refused', ['responseLogprobs']],
  }),
  row(
    'ChatCompletionRequest.seed',
    'Left out when the model is served over responses, and named in `x-modelgate-ignored`; Anthropic upstreams refuse it',
    {
      body: { seed: 7171 },
      mark: '7171',
      fates: ['sent', 'left out', 'refused', 'sent'],
    },
  ),
  row('ChatCompletionRequest.seed', 'Gemini upstreams take whole numbers', {
    body: { seed: 71.71 },
    mark: '71.71',
    fates: ['sent', 'left out', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.parallel_tool_calls', 'False is 400 over Gemini upstreams', {
    body: { tools: [functionTool], parallel_tool_calls: false },
    mark: '"parallel_tool_calls":false',
    fates: ['sent', 'sent', ['"disable_parallel_tool_use":true'], 'refused'],
  }),
  row('ChatCompletionRequest.modalities', 'is 400 unless the upstream speaks chat', {
    body: { modalities: ['text', 'audio'], audio: { voice: 'marker', format: 'mp3' } },
    mark: 'marker',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatAudioOptions', 'Only upstreams that speak chat give one; others refuse it with 400', {
    body: { audio: { voice: 'marker', format: 'mp3' } },
    mark: 'marker',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.prediction', 'Refused with 400 unless the upstream speaks chat', {
    body: { prediction: { type: 'content', content: 'marker' } },
    mark: 'marker',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.web_search_options', 'it is also 400 when the upstream does not speak chat', {
    body: { web_search_options: { search_context_size: 'low' } },
    mark: 'search_context_size',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.web_search_options', 'There, an empty one is left out', {
    body: { web_search_options: {} },
    mark: 'web_search_options',
    fates: ['sent', 'left out', 'left out', 'left out'],
  }),
  row('ChatCompletionRequest.max_completion_tokens', 'less than 16 becomes 16', {
    body: { max_completion_tokens: 7 },
    mark: ':7',
    fates: ['sent', [':16'], 'sent', 'sent'],
  }),
  row('ChatCompletionRequest.reasoning', '`reasoning.effort` is used as `reasoning_effort`', {
    body: { reasoning: { effort: 'high', other: 'marker' } },
    mark: 'marker',
    fates: [['"reasoning_effort":"high"'], ['"effort":"high"'], ['"effort":"high"'], ['"HIGH"']],
  }),
  row('ReasoningEffort', 'Anthropic upstreams take `minimal` as `low`', {
    body: { reasoning_effort: 'minimal' },
    mark: 'minimal',
    fates: ['sent', 'sent', ['"low"'], ['MINIMAL']],
  }),
  row('ReasoningEffort', 'Gemini upstreams take `xhigh` and `max` as `high`', {
    body: { reasoning_effort: 'max' },
    mark: '"max"',
    fates: ['sent', 'sent', 'sent', ['"HIGH"']],
  }),
  row('ReasoningEffort', 'from the third generation on `none` as `minimal`', {
    body: { reasoning_effort: 'none' },
    mark: '"none"',
    fates: ['sent', 'sent', ['"disabled"'], ['MINIMAL']],
  }),
  row('ChatUserMessage.name', 'served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it', {
    body: { messages: [{ role: 'user', content: 'hello', name: 'marker' }] },
    mark: 'marker',
    fates: ['sent', 'refused', 'left out', 'left out'],
  }),
  row('ChatImageAddress.url', 'Gemini upstreams take data URLs alone: an address is 400', {
    body: userPart({ type: 'image_url', image_url: { url: ADDRESS } }),
    mark: ADDRESS,
    fates: ['sent', 'sent', 'sent', 'refused'],
  }),
  row('ChatImageAddress.detail', 'Not sent to Anthropic and Gemini upstreams', {
    body: userPart({ type: 'image_url', image_url: { url: PNG, detail: 'low' } }),
    mark: '"detail":"low"',
    fates: ['sent', 'sent', 'left out', 'left out'],
  }),
  row('ChatAudioPart', 'Anthropic and Gemini upstreams take none: 400', {
    body: userPart({ type: 'input_audio', input_audio: { data: 'bWFya2Vy', format: 'wav' } }),
    mark: 'bWFya2Vy',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('ChatFilePart.file.file_data', 'Anthropic upstreams take PDF and plain text alone, another kind is 400', {
    body: userPart({ type: 'file', file: { filename: 'a.html', file_data: 'data:text/html;base64,bWFya2Vy' } }),
    mark: 'bWFya2Vy',
    fates: ['sent', 'sent', 'refused', 'sent'],
  }),
  row('ChatFilePart.file.file_id', 'Anthropic and Gemini upstreams refuse an id with 400', {
    body: userPart({ type: 'file', file: { file_id: 'file_marker' } }),
    mark: 'file_marker',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('ChatTextPart.prompt_cache_breakpoint', 'Sent when the upstream speaks the protocol of this call', {
    body: userPart({ type: 'text', text: 'hello', prompt_cache_breakpoint: { mode: 'marker' } }),
    mark: 'marker',
    fates: ['sent', 'left out', 'left out', 'left out'],
  }),
  row('ChatCalledFunction.arguments', 'need a JSON object or an empty text: another one is 400', {
    body: chatCall('marker'),
    mark: 'marker',
    fates: ['sent', 'sent', 'refused', 'refused'],
  }),
  row('ChatAssistantMessage.audio', 'Only upstreams that speak chat take it; others refuse it with 400', {
    body: {
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', audio: { id: 'audio_marker' } },
        { role: 'user', content: 'and?' },
      ],
    },
    mark: 'audio_marker',
    fates: ['sent', 'refused', 'refused', 'refused'],
  }),
  row('ChatCompletionRequest.stream_options.include_obfuscation', 'Sent to upstreams that speak chat', {
    body: { stream: true, stream_options: { include_obfuscation: true } },
    mark: 'include_obfuscation',
    fates: ['sent', 'left out', 'left out', 'left out'],
  }),
  row(
    'JsonObjectFormat',
    'Anthropic upstreams have no such mode, nor have older Gemini models beside tools: the gateway asks them in the prompt',
    {
      body: { response_format: { type: 'json_object' } },
      mark: 'json_object',
      fates: ['sent', 'sent', ['a single JSON object'], ['application/json']],
    },
  ),
  row('ChatJsonSchemaFormat', 'Anthropic and Gemini upstreams ignore this: they always follow the schema', {
    body: { response_format: { type: 'json_schema', json_schema: { name: 'form', schema: { type: 'object' }, strict: false } } },
    mark: '"strict":false',
    fates: ['sent', 'sent', ['json_schema'], ['responseJsonSchema']],
  }),
];
