/** What of a conversation goes to an upstream that keeps nothing for us: no foreign ids, no thoughts that it could not open. */
import { describe, expect, test } from 'vitest';
import { packReasoning } from '../../../server/dialects/turn/encrypted-reasoning.ts';
import { type Destination, editOf, itemsFor, losesReasoning } from '../../../server/history/outgoing.ts';
import { openReasoningOrigins } from '../../../server/history/reasoning-origins.ts';

const origins = openReasoningOrigins();
origins.note(Buffer.from('{"encrypted_content":"made at main"}'), 'main');
const at = (upstream: string, protocols: readonly string[] = ['responses']): Destination => ({ upstream, protocols, origins });
const thought = (encrypted_content: unknown) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content });
const ofAnthropic = packReasoning('anthropic', { thinking: 'hm' });

describe('sealed thoughts go', () => {
  test.each([
    ['to their maker', 'made at main', at('main'), true],
    ['to no other', 'made at main', at('backup'), false],
    ['anywhere, where nobody remembers their maker', 'of yesterday', at('backup'), true],
    ['to no upstream of the responses protocol, where they were sealed here', ofAnthropic, at('main'), false],
    ['to the dialect that they were sealed for', ofAnthropic, at('claude', ['anthropic']), true],
    ['to no other dialect', ofAnthropic, at('gemini', ['gemini']), false],
    ['to no other dialect, of whatever maker', 'made at main', at('main', ['chat']), false],
  ])('%s', (_what, sealed, to, isKept) => {
    expect(losesReasoning(thought(sealed), to)).toBe(!isKept);
    expect(editOf(thought(sealed), to)).toBe(isKept ? 'strip' : 'drop');
    expect(itemsFor([thought(sealed)], to)).toEqual(isKept ? [{ type: 'reasoning', summary: [], encrypted_content: sealed }] : []);
  });

  test.each([undefined, null, '', 7])(
    'nowhere where there are none (%j): of an unsealed thought nobody can make anything, and nothing is lost',
    (sealed) => {
      expect([editOf(thought(sealed), at('main')), losesReasoning(thought(sealed), at('main'))]).toEqual(['drop', false]);
    },
  );
});

describe('a packed conversation', () => {
  const packed = (encrypted_content: string) => ({ type: 'compaction', id: 'cmp_1', encrypted_content });

  test('goes to its maker', () => {
    expect([editOf(packed('made at main'), at('main')), editOf(packed('of yesterday'), at('backup'))]).toEqual(['strip', 'strip']);
  });

  test('of another maker is refused: to leave it out would be to forget all of it', () => {
    const refused = expect.objectContaining({ code: 'invalid_value', param: 'input', message: expect.stringContaining('compaction') });
    expect(() => editOf(packed('made at main'), at('backup'))).toThrow(refused);
    expect(losesReasoning(packed('made at main'), at('backup'))).toBe(false);
  });
});

describe('the id of an item', () => {
  test.each(['message', 'function_call', 'custom_tool_call', 'function_call_output'])(
    'is a name of another store, and goes: %s',
    (type) => {
      expect(editOf({ type, id: 'x' }, at('main'))).toBe('strip');
    },
  );

  test.each(['local_shell_call_output', 'mcp_approval_request'])('stays where others find their partner by it: %s', (type) => {
    expect(editOf({ type, id: 'x' }, at('main'))).toBeNull();
  });

  test('need not go where there is none', () => {
    const message = { type: 'message', role: 'user', content: 'Hello.' };
    expect(editOf(message, at('main'))).toBeNull();
    expect(itemsFor([message], at('main'))[0]).toBe(message);
  });
});
