/** The file format of recordings: answers come back byte for byte, and are readable where possible. */
import { describe, expect, test } from 'vitest';

import {
  RecordedCall,
  toPlayedResponse,
  toRecordedFrames,
  toRecordedResponse,
  writeCall,
} from '../../../../server/providers/recordings/recorded-call.ts';

const throughFile = (answer: RecordedCall['answer']): RecordedCall['answer'] => {
  const call: RecordedCall = { format: 1, operation: 'createResponse', request: { model: 'm', input: '[] and "frames": []' }, answer };
  const read = RecordedCall.parse(JSON.parse(writeCall(call)));
  expect(read).toEqual(call);
  return read.answer;
};

describe('a stream', () => {
  const odd = [
    'data: {"a":1}\n\n',
    'event: x\ndata: {"type":"x","n":[]}\n\n',
    ': keepalive\n\n',
    'data: {"spaced": 1}\n\n',
    'data: {"n":1.0,"big":12345678901234567890}\n\n',
    'data: {"a":\ndata: 2}\n\n',
    'event: x\r\ndata: {}\r\n\r\n',
    'id: 7\ndata: "text"\n\n',
    'data: "\\u0041"\n\n',
    'event: x\n\n',
    'data: [DONE]\n\n',
  ];

  test('returns unusual frames one by one', () => {
    const answer = throughFile(toRecordedFrames(Buffer.from(odd.join(''))));
    const played = toPlayedResponse(answer);
    expect(played.kind === 'frames' && played.frames.map(String)).toEqual(odd);
  });

  test('stores plain frames as JSON and others as text, each on one line of the file', () => {
    const answer = toRecordedFrames(Buffer.from(odd.join('')));
    expect('frames' in answer && answer.frames.slice(0, 3)).toEqual([
      { data: { a: 1 } },
      { event: 'x', data: { type: 'x', n: [] } },
      { text: ': keepalive\n\n' },
    ]);
    const text = writeCall({ format: 1, operation: 'createResponse', request: {}, answer });
    expect(text.split('\n').filter((line) => line.startsWith('      {"'))).toHaveLength(odd.length);
  });

  test('stays a stream without frames', () => {
    expect(throughFile(toRecordedFrames(Buffer.alloc(0)))).toEqual({ status: 200, frames: [] });
  });
});

test.each(['{"a":1}', '{ "a": 1 }', '{"n":1.0}', 'not JSON', '{"text":"ä 😀"}', '{"a":1,"a":2}'])(
  'plays the response %s back unchanged',
  (text) => {
    const played = toPlayedResponse(throughFile(toRecordedResponse(Buffer.from(text))));
    expect(played.kind === 'whole' && played.bytes.toString()).toBe(text);
  },
);
