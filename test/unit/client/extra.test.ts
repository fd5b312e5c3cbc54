/** Fields that the types do not name can be sent and read. */
import { expect, test } from 'vitest';
import { extraOf, type Tool, withExtra } from '../../../client/sdk/src/index.ts';
import { response, responseRequest } from './samples.ts';
import { json, openServer } from './server.ts';

test('keeps fields of a newer gateway in the response, and reads them with extraOf', async () => {
  const newer = { ...response('completed'), mood: { deep: [1] } };
  const { connect } = await openServer(json(200, newer));
  const answer = await connect().createResponse(responseRequest);
  expect(answer).toEqual(newer);
  expect(extraOf(answer).mood).toEqual({ deep: [1] });
  expect(extraOf(answer).missing).toBeUndefined();
});

test('sends fields without a type, at any depth', async () => {
  const { connect, asked } = await openServer(json(200, response('completed')));
  const known = { type: 'file_search' } as const;
  const search = withExtra<Tool>(known, { vector_store_ids: ['vs_1'] });
  await connect().createResponse({ ...responseRequest, tools: [search] }, { extraBody: { fresh_option: 1 } });
  const sent = { ...responseRequest, tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }], fresh_option: 1 };
  expect(JSON.parse(String(asked[0]?.body))).toEqual(sent);
  expect(known).toEqual({ type: 'file_search' });
});
