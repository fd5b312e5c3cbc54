/** Cases of the translation matrix: tool_choice, and hosted tools. */
import { asking, body, type Case, dropped, rejected, served } from './translation-case.ts';
import { both, bothFlat, flatTool, offering, oslo } from './translation-tools.ts';

export const choiceCases: readonly Case[] = [
  {
    feature: '`tool_choice`: none',
    ask: asking({ tools: both, tool_choice: 'none' }, { tools: bothFlat, tool_choice: 'none' }),
    sent: {
      chat: body({ tool_choice: 'none' }),
      responses: body({ tool_choice: 'none' }),
      anthropic: body({ tool_choice: { type: 'none' } }),
      gemini: body({}),
      converse: dropped('toolConfig'),
    },
  },
  {
    feature: '`tool_choice`: required',
    ask: asking({ tools: both, tool_choice: 'required' }, { tools: bothFlat, tool_choice: 'required' }),
    reply: { calls: [oslo] },
    sent: served({ toolConfig: { toolChoice: { any: {} } } }),
  },
  {
    feature: '`tool_choice`: one tool by name',
    ask: asking(
      { tools: both, tool_choice: { type: 'function', function: { name: 'get_rain' } } },
      { tools: bothFlat, tool_choice: { type: 'function', name: 'get_rain' } },
    ),
    reply: { calls: [oslo] },
    sent: served({ toolConfig: { toolChoice: { tool: { name: 'get_rain' } } } }),
  },
  {
    feature: '`tool_choice`: allowed_tools',
    ask: asking(
      {
        tools: both,
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'get_rain' } }] },
        },
      },
      { tools: bothFlat, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'get_rain' }] } },
    ),
    reply: { calls: [oslo] },
    sent: served({ toolConfig: { ...offering('get_rain').toolConfig, toolChoice: { auto: {} } } }),
  },
  {
    feature: '`parallel_tool_calls`: false',
    ask: asking({ tools: both, parallel_tool_calls: false }, { tools: bothFlat, parallel_tool_calls: false }),
    reply: { calls: [oslo] },
    sent: {
      chat: body({ parallel_tool_calls: false }),
      responses: body({ parallel_tool_calls: false }),
      anthropic: body({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
      gemini: dropped('parallel_tool_calls'),
      converse: dropped('parallel_tool_calls'),
    },
  },
  {
    feature: 'hosted tools, offered',
    ask: asking(null, { tools: [{ type: 'web_search' }, flatTool('get_rain'), { type: 'local_shell' }] }),
    sent: served(offering('get_rain')),
  },
  {
    feature: 'hosted tool, forced',
    ask: asking(null, { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }),
    sent: {
      chat: rejected('tool_choice'),
      anthropic: rejected('tool_choice'),
      gemini: rejected('tool_choice'),
      converse: rejected('tool_choice'),
    },
  },
];
