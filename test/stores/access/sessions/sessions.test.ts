/** Sessions and setup tokens on each engine: found by their token, expired in time, used once, and never stored in plain text. */
import { randomBytes } from 'node:crypto';
import { test as base, describe, expect } from 'vitest';
import { sessionStoreDefinition } from '../../../../server/access/sessions/plans.ts';
import {
  consumeSetupToken,
  findSession,
  issueSetupToken,
  openPersonSession,
  openSession,
  type SessionOptions,
} from '../../../../server/access/sessions/sessions.ts';
import type { SessionStore } from '../../../../server/access/sessions/store.ts';
import { openDatabase, runInline } from '../../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../../harness/folder.ts';
import { postgresName, usePostgres } from '../../../harness/postgres.ts';
import { postgresMissing } from '../../../harness/servers.ts';

/** Two processes on one database. */
type Pair = readonly [SessionStore, SessionStore];

const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

async function openEmbedded(): Promise<Pair> {
  const folder = temporaryFolder();
  const open = () => {
    const { connection } = openDatabase({ folder, durability: 'relaxed' });
    return sessionStoreDefinition.onSqlite({ connection, steps: runInline(connection, sessionStoreDefinition.steps) });
  };
  return [open(), open()];
}

function useServer(): () => Promise<Pair> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    return [sessionStoreDefinition.onPostgres(postgres), sessionStoreDefinition.onPostgres(postgres)];
  };
}

const START = 1_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const end = { actor: 'test', action: 'session.end', target: '', details: {}, at: START };

describe.each(engines)('sessions on $title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const openPair = use();
  const open = async () => {
    const [store, other] = await openPair();
    const clock = { now: START };
    const parts: SessionOptions = { store, pepper: randomBytes(32), now: () => clock.now };
    const signIn = (kind: 'console' | 'portal') => openSession({ kind, keyId: 'key_1', actor: 'key_1', by: 'key' }, parts);
    return { store, other, clock, parts, signIn };
  };

  test('keeps a session of an identity provider for 8 hours, one hour idle, only for the console, in both processes', async () => {
    const { other, parts, clock } = await open();
    const person = { issuer: 'https://login.example', subject: 'u-1', name: 'Ada “A” Lovelace', role: 'billing' } as const;
    const client = { address: '2001:db8::7', browser: 'Safari on iOS' };
    const { token, session } = await openPersonSession(person, parts, client);
    expect(await findSession('console', token, { ...parts, store: other })).toEqual({ ...session, keyId: null, person, ...client });
    expect(await findSession('portal', token, parts)).toBeUndefined();
    expect((await other.list('console')).map(({ person: found }) => found)).toEqual([person]);
    for (let hour = 0; hour < 9; hour++) {
      clock.now += HOUR - 1;
      expect(await findSession('console', token, parts), `${hour}`).toEqual(hour < 8 ? expect.objectContaining({ person }) : undefined);
    }
    const { token: left } = await openPersonSession(person, parts);
    clock.now += HOUR;
    expect(await findSession('console', left, parts)).toBeUndefined();
  });

  test('accepts a browser that signed in at one process at the other', async () => {
    const { other, parts, signIn } = await open();
    const { token, session } = await signIn('portal');
    expect(await findSession('portal', token, { ...parts, store: other })).toEqual(session);
    expect(await findSession('console', token, parts)).toBeUndefined();
    expect(await findSession('portal', token, { ...parts, pepper: randomBytes(32) })).toBeUndefined();
    expect(JSON.stringify(await other.list('portal'))).not.toContain(token);
  });

  test.each([
    { kind: 'console' as const, hours: 8 },
    { kind: 'portal' as const, hours: 12 },
  ])('expires a session of the $kind that is always in use after $hours hours', async ({ kind, hours }) => {
    const { clock, parts, signIn } = await open();
    const { token } = await signIn(kind);
    const step = 59 * MINUTE;
    for (clock.now += step; clock.now < START + hours * HOUR; clock.now += step)
      expect(await findSession(kind, token, parts)).toBeDefined();
    clock.now = START + hours * HOUR;
    expect(await findSession(kind, token, parts)).toBeUndefined();
  });

  test('expires a session after an hour without a call, and each call restarts that hour', async () => {
    const { store, clock, parts, signIn } = await open();
    const { token, session } = await signIn('console');
    clock.now += 59 * MINUTE;
    expect(await findSession('console', token, parts)).toBeDefined();
    expect((await store.list('console'))[0]?.seenAt).toBe(clock.now);
    clock.now += HOUR;
    expect(await findSession('console', token, parts)).toBeUndefined();
    expect((await store.list('console')).map(({ id }) => id)).toEqual([session.id]);
    await store.sweep({ expired: clock.now, idle: clock.now - HOUR });
    expect(await store.list('console')).toEqual([]);
  });

  test('stores the last use of a session once per minute, however often a page calls', async () => {
    const { store, clock, parts, signIn } = await open();
    const { token } = await signIn('console');
    clock.now += MINUTE - 1;
    await findSession('console', token, parts);
    expect((await store.list('console'))[0]?.seenAt).toBe(START);
  });

  test('ends a session once, in both processes', async () => {
    const { store, other, parts, signIn } = await open();
    const { token, session } = await signIn('console');
    expect(await other.end('portal', session.id, end)).toBe(false);
    expect(await other.end('console', session.id, end)).toBe(true);
    expect(await store.end('console', session.id, end)).toBe(false);
    expect(await findSession('console', token, parts)).toBeUndefined();
    expect(await store.end('console', 'sess_\0', end)).toBe(false);
  });

  test('signs in one of many callers who open one setup link at once', async () => {
    const { other, parts } = await open();
    const token = await issueSetupToken({ kind: 'portal', keyId: 'key_1' }, parts);
    const takers = Array.from({ length: 8 }, (_, at) => consumeSetupToken('portal', token, at % 2 ? parts : { ...parts, store: other }));
    expect((await Promise.all(takers)).flatMap((one) => one ?? [])).toMatchObject([{ kind: 'portal_setup', keyId: 'key_1' }]);
  });

  test('keeps a setup link valid for its own page for 15 minutes, and not as a session', async () => {
    const { clock, parts } = await open();
    const token = await issueSetupToken({ kind: 'console', keyId: null }, parts);
    expect(await consumeSetupToken('portal', token, parts)).toBeUndefined();
    expect(await findSession('console', token, parts)).toBeUndefined();
    clock.now += 15 * MINUTE;
    expect(await consumeSetupToken('console', token, parts)).toBeUndefined();
  });
});
