/** Checks of `x-request-id`, apart from all others: a mock that has none fails here alone. */
import type { Ask, Caller } from './caller.ts';
import type { Area, Check } from './check.ts';
import { chatAsk, pictureAsk, responseAsk } from './operations.ts';
import { CATALOG } from './usage.ts';
import { demand, demandAll } from './violation.ts';

const REQUEST_ID = /^\S{1,200}$/;

/** A whole answer, a stream where there are some, a refusal. */
const asks: Readonly<Record<Area, (caller: Caller) => readonly (readonly [string, Ask])[]>> = {
  models: () => [
    ['/models', {}],
    ['/models/no-such-model', {}],
  ],
  chat: (caller) => ofText('/chat/completions', chatAsk(caller)),
  responses: (caller) => ofText('/responses', responseAsk(caller)),
  images: (caller) => [
    ['/images/generations', { json: { model: pictureAsk(caller).model } }],
    ['/images/edits', { json: { model: pictureAsk(caller).model } }],
  ],
  usage: () => [
    ['/usage?limit=1', {}],
    ['/usage/req_of_nobody', {}],
  ],
  catalog: () => [
    [CATALOG, { key: null }],
    [`${CATALOG}?group=no-such-group`, { key: null }],
  ],
};

const ofText = (path: string, json: object): readonly (readonly [string, Ask])[] => [
  [path, { json }],
  [path, { json: { ...json, stream: true } }],
  [path, { json: { ...json, model: 'no-such-model' } }],
];

async function demandIds(caller: Caller, area: Area): Promise<void> {
  const ids: (string | null)[] = [];
  for (const [path, ask] of asks[area](caller)) ids.push((await caller.ask(path, ask)).headers.get('x-request-id'));
  const known = ids.flatMap((id) => (id === null || id === '' ? [] : [id]));
  demandAll([
    () => demand(known.length === ids.length, `${ids.length - known.length} of ${ids.length} answers have no x-request-id`),
    () => demand(new Set(known).size === known.length, `two answers have the x-request-id ${known[0]}`),
    ...known.map(
      (id) => () => demand(REQUEST_ID.test(id), `the x-request-id '${id.slice(0, 80)}' is not one word of at most 200 characters`),
    ),
  ]);
}

// The names of an object are those of its type.
export const requestIds: readonly Check[] = (Object.keys(asks) as Area[]).map((area) => ({
  group: 'operations',
  area,
  name: `gives every answer of ${area} an id of its own`,
  run: (caller) => demandIds(caller, area),
}));
