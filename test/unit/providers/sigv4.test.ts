/** Signatures of AWS against a published vector, and what they cover. */
import { describe, expect, test } from 'vitest';
import { signRequest } from '../../../server/providers/auth/sign-request.ts';
import type { SignableRequest } from '../../../server/providers/credentials.ts';

/** The vector of openai-node (Apache-2.0), tests/fixtures/bedrock/v1/sigv4.json at 2ae4682. */
const keys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'fixture-session-token',
};
const order: SignableRequest = {
  method: 'POST',
  path: '/v1/responses',
  host: 'bedrock-mantle.us-east-1.api.aws',
  contentType: 'application/json',
  body: Buffer.from('{"model":"gpt-4o","input":"hello"}'),
};
const at = new Date('2025-01-02T03:04:05.000Z');
const scope = { region: 'us-east-1', service: 'bedrock-mantle' };
const signed = async (changes: Partial<SignableRequest> = {}, given: object = keys): Promise<Record<string, string>> => {
  const lines = await signRequest({ ...order, ...changes }, { ...keys, ...given }, { ...scope, at });
  return Object.fromEntries(lines.flatMap((name, index) => (index % 2 === 0 ? [[name, lines[index + 1] ?? '']] : [])));
};

test('signs a request with temporary credentials with the published signature', async () => {
  expect(await signed()).toEqual({
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20250102/us-east-1/bedrock-mantle/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=b81279dd7a01b9681012a7cf068f8ab7f663b85f0742741b509315ad22e32175',
    host: 'bedrock-mantle.us-east-1.api.aws',
    'x-amz-content-sha256': '50329e51ad520f21b77bad0b01999930ff556cd1bf18434701251ba6c9f877bc',
    'x-amz-date': '20250102T030405Z',
    'x-amz-security-token': 'fixture-session-token',
  });
});

test('names no session for keys without one', async () => {
  expect(await signed({}, { sessionToken: undefined })).not.toHaveProperty('x-amz-security-token');
});

describe('the signature', () => {
  test.each([
    ['the body', { body: Buffer.from('{}') }],
    ['the path', { path: '/v1/chat/completions' }],
    ['the query', { path: '/v1/responses?a=1' }],
    ['the host', { host: 'other.example' }],
    ['the content type', { contentType: 'text/plain' }],
  ])('covers %s', async (_, changes) => {
    expect((await signed(changes)).authorization).not.toBe((await signed()).authorization);
  });
});
