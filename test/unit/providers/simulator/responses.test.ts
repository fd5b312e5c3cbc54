import { describe, expect, it } from 'vitest';
import { Response } from '../../../../contract/responses.ts';
import { readJson, send, type Wire } from './ask.ts';

async function respond(value: Wire) {
  return Response.parse(await readJson(send('createResponse', value)));
}

describe('a responses caller of the simulator', () => {
  it('gets incomplete reasoning and no message if the limit falls into the reasoning', async () => {
    const response = await respond({ input: 'hi', max_output_tokens: 16, reasoning: { effort: 'high' } });
    expect(response.output).toMatchObject([{ type: 'reasoning', status: 'incomplete' }]);
    expect(response.usage).toMatchObject({ output_tokens: 16, output_tokens_details: { reasoning_tokens: 16 } });
  });

  it('gets a call of a tool that its input declares', async () => {
    const tools = [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }];
    const input = [
      { type: 'additional_tools', role: 'developer', tools },
      { role: 'user', content: 'Call exec to list files; rm -rf /' },
    ];
    const { output } = await respond({ input });
    expect(output).toEqual([
      {
        id: expect.stringMatching(/^ctc_/),
        type: 'custom_tool_call',
        call_id: expect.stringMatching(/^call_/),
        name: 'exec',
        namespace: 'functions',
        input: '"simulator"',
      },
    ]);
  });
});
