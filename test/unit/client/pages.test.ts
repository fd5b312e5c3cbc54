/** Paged lists, read page by page or as one. */
import { expect, test } from 'vitest';
import { NotFoundError } from '../../../client/sdk/src/index.ts';
import { collect, failure, json, openServer } from './server.ts';

const item = (id: string) => ({ id, type: 'message' });
const page = (ids: readonly string[], hasMore: boolean) =>
  json(200, { object: 'list', data: ids.map(item), first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: hasMore });

test('fetches each page in turn in a loop over a list', async () => {
  const { connect, asked } = await openServer(page(['a', 'b'], true), page(['c', 'd'], true), page(['e'], false));
  const items = await collect(connect().listInputItems('resp_1', { limit: 2, order: 'asc' }));
  expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(asked.map(({ url }) => url)).toEqual([
    '/v1/responses/resp_1/input_items?limit=2&order=asc',
    '/v1/responses/resp_1/input_items?limit=2&order=asc&after=b',
    '/v1/responses/resp_1/input_items?limit=2&order=asc&after=d',
  ]);
});

test('returns the first page of an awaited list', async () => {
  const { connect, asked } = await openServer(page(['a'], true));
  const list = await connect().listInputItems('resp_1');
  expect([list.data.length, list.has_more, asked.length]).toEqual([1, true, 1]);
});

test('fetches no further page after a caller leaves the loop', async () => {
  const { connect, asked } = await openServer(page(['a', 'b'], true));
  for await (const { id } of connect().listInputItems('resp_1')) if (id === 'b') break;
  expect(asked).toHaveLength(1);
});

test('starts a loop after `after`, and sends the options of the call with each page', async () => {
  const { connect, asked } = await openServer(page(['req_3'], true), page([], false));
  await collect(connect().listUsage({ after: 'req_4', limit: 1 }, { headers: { 'x-team': 'search' } }));
  expect(asked.map(({ url }) => url)).toEqual(['/v1/usage?after=req_4&limit=1', '/v1/usage?after=req_3&limit=1']);
  expect(asked.map(({ headers }) => headers['x-team'])).toEqual(['search', 'search']);
});

test('ends the loop at an empty page, also with has_more', async () => {
  const { connect, asked } = await openServer(page([], true));
  expect(await collect(connect().listUsage())).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('throws a failed page in the loop, after the entries before it', async () => {
  const { connect } = await openServer(page(['a'], true), failure(404, { code: 'response_not_found' }));
  const seen: string[] = [];
  const reading = async () => {
    for await (const { id } of connect().listInputItems('resp_1')) seen.push(id);
  };
  await expect(reading()).rejects.toThrow(NotFoundError);
  expect(seen).toEqual(['a']);
});

test('returns the first page and the response with withResponse of a list', async () => {
  const { connect } = await openServer(page(['a'], false));
  const { data, response } = await connect().listUsage().withResponse();
  expect([data.data.length, response.status]).toEqual([1, 200]);
});
