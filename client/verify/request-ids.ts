/** Checks that every response has a unique request ID. */

import { assert, assertAll } from './assert.ts';
import type { Area, Check } from './check.ts';
import { createChatRequest, createImageRequest, createResponseRequest } from './request.ts';
import type { RequestOptions, VerifyClient } from './target.ts';
import { CATALOG_PATH } from './usage.ts';

const REQUEST_ID = /^\S{1,200}$/;

/** Requests per area: a complete response, a stream if supported, and a rejection. */
const requestsByArea: Readonly<Record<Area, (caller: VerifyClient) => readonly (readonly [string, RequestOptions])[]>> = {
  models: () => [
    ['/models', {}],
    ['/models/no-such-model', {}],
  ],
  chat: (caller) => toTextRequests('/chat/completions', createChatRequest(caller)),
  responses: (caller) => toTextRequests('/responses', createResponseRequest(caller)),
  images: (caller) => [
    ['/images/generations', { json: { model: createImageRequest(caller).model } }],
    ['/images/edits', { json: { model: createImageRequest(caller).model } }],
  ],
  usage: () => [
    ['/usage?limit=1', {}],
    ['/usage/req_of_nobody', {}],
  ],
  catalog: () => [
    [CATALOG_PATH, { key: null }],
    [`${CATALOG_PATH}?group=no-such-group`, { key: null }],
  ],
};

const toTextRequests = (path: string, json: object): readonly (readonly [string, RequestOptions])[] => [
  [path, { json }],
  [path, { json: { ...json, stream: true } }],
  [path, { json: { ...json, model: 'no-such-model' } }],
];

async function assertRequestIds(caller: VerifyClient, area: Area): Promise<void> {
  const ids: (string | null)[] = [];
  for (const [path, ask] of requestsByArea[area](caller)) ids.push((await caller.send(path, ask)).headers.get('x-request-id'));
  const presentIds = ids.flatMap((id) => (id === null || id === '' ? [] : [id]));
  assertAll([
    () => assert(presentIds.length === ids.length, `${ids.length - presentIds.length} of ${ids.length} responses have no x-request-id`),
    () => assert(new Set(presentIds).size === presentIds.length, `two responses have the x-request-id ${presentIds[0]}`),
    ...presentIds.map(
      (id) => () => assert(REQUEST_ID.test(id), `the x-request-id '${id.slice(0, 80)}' isn't a single word of at most 200 characters`),
    ),
  ]);
}

// `as`: the object has exactly the keys of its type.
export const requestIdChecks: readonly Check[] = (Object.keys(requestsByArea) as Area[]).map((area) => ({
  group: 'operations',
  area,
  name: `sends a unique x-request-id with each response (${area})`,
  run: (caller) => assertRequestIds(caller, area),
}));
