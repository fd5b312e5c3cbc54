/** Which items of a stored conversation are sent to an upstream: without ids of another store, and without reasoning that it cannot decrypt. */
import { describe, expect, test } from 'vitest';
import { openReasoningOrigins } from '../../../server/history/reasoning-origins.ts';
import { type Destination, decideEdit, losesReasoning, toUpstreamItems } from '../../../server/history/upstream-items.ts';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';

const origins = openReasoningOrigins();
origins.recordOrigins(Buffer.from('{"encrypted_content":"made at main"}'), 'main');
const at = (upstream: string, protocols: readonly string[] = ['responses']): Destination => ({ upstream, protocols, origins });
const reasoning = (encrypted_content: unknown) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content });
const ofAnthropic = packReasoning('anthropic', { thinking: 'hm' });

describe('encrypted reasoning', () => {
  test.each([
    ['to the upstream that made it', 'made at main', at('main'), true],
    ['to no other upstream', 'made at main', at('backup'), false],
    ['to any upstream if its origin is unknown', 'of yesterday', at('backup'), true],
    ['to no upstream of the responses protocol if it was packed for another dialect', ofAnthropic, at('main'), false],
    ['to the dialect that it was packed for', ofAnthropic, at('claude', ['anthropic']), true],
    ['to no other dialect than it was packed for', ofAnthropic, at('gemini', ['gemini']), false],
    ['to no upstream without the responses protocol, also if that made it', 'made at main', at('main', ['chat']), false],
  ])('goes %s', (_what, encrypted, to, isKept) => {
    expect(losesReasoning(reasoning(encrypted), to)).toBe(!isKept);
    expect(decideEdit(reasoning(encrypted), to)).toBe(isKept ? 'strip' : 'drop');
    expect(toUpstreamItems([reasoning(encrypted)], to)).toEqual(
      isKept ? [{ type: 'reasoning', summary: [], encrypted_content: encrypted }] : [],
    );
  });

  test.each([undefined, null, '', 7])('goes to no upstream if it is %j: the item is dropped, and no reasoning is lost', (encrypted) => {
    expect([decideEdit(reasoning(encrypted), at('main')), losesReasoning(reasoning(encrypted), at('main'))]).toEqual(['drop', false]);
  });
});

describe('the ID of an item', () => {
  test.each(['message', 'function_call', 'custom_tool_call', 'function_call_output', 'compaction'])('gets removed from a %s', (type) => {
    expect(decideEdit({ type, id: 'x' }, at('main'))).toBe('strip');
  });

  test.each(['local_shell_call_output', 'mcp_approval_request'])('stays in a %s, since another item refers to it', (type) => {
    expect(decideEdit({ type, id: 'x' }, at('main'))).toBeNull();
  });

  test("doesn't change an item without one", () => {
    const message = { type: 'message', role: 'user', content: 'Hello.' };
    expect(decideEdit(message, at('main'))).toBeNull();
    expect(toUpstreamItems([message], at('main'))[0]).toBe(message);
  });
});
