/**
 * The floor of a governed call: the least that this contract, money, limits, and a log cost on Fastify and undici. It checks the request with the
 * contract's schemas through ts-rest, hashes the key and looks it up in memory, counts three limits of the key and three of its account, commits
 * a hold, then a charge with its two ledger entries and a row of the request log to SQLite (steps of one turn share a commit), parses the
 * provider's answer and writes it again, and writes one log line. It doesn't check the key against a database, estimate tokens, compute prices,
 * stream, translate, retry, fail over, keep totals, metrics, or alerts, or reload.
 */
import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type AppRouteMutation, initContract } from '@ts-rest/core';
import { initServer } from '@ts-rest/fastify';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Pool } from 'undici';
import { contract } from '../../../contract/index.ts';
import { announce } from './probe.ts';

const [vendorOrigin = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'modelgate-floor-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Money {
  hold(id: string, key: string): Promise<void>;
  charge(id: string, usage: string): Promise<void>;
}

/** Counters of a key and of its account: calls, tokens and calls under way. */
const counters = new Map<string, [number, number, number]>();
const seen = new Map<string, string>();
const ACCOUNT = 'account';

function countIn(authorization: string): string {
  const digest = createHash('sha256').update(authorization).digest('hex');
  const key = seen.get(digest) ?? digest;
  seen.set(digest, key);
  for (const name of [key, ACCOUNT]) {
    const [calls, tokens, open] = counters.get(name) ?? [0, 0, 0];
    counters.set(name, [calls + 1, tokens + 1_000, open + 1]);
  }
  return key;
}

function countOut(key: string): void {
  for (const name of [key, ACCOUNT]) {
    const counter = counters.get(name);
    if (counter) counter[2]--;
  }
}

const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE balances (account TEXT PRIMARY KEY, balance INT NOT NULL, held INT NOT NULL);
  INSERT INTO balances VALUES ('${ACCOUNT}', 1000000000000, 0);
  CREATE TABLE charges (id TEXT PRIMARY KEY, account TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, held INT NOT NULL, usage TEXT, at INT NOT NULL) WITHOUT ROWID;
  CREATE INDEX charges_by_account ON charges (account, at);
  CREATE TABLE entries (number INTEGER PRIMARY KEY, charge TEXT NOT NULL, book TEXT NOT NULL, amount INT NOT NULL, at INT NOT NULL);
  CREATE TABLE calls (number INTEGER PRIMARY KEY, charge TEXT NOT NULL, key TEXT NOT NULL, status INT NOT NULL, usage TEXT NOT NULL, at INT NOT NULL);
  CREATE INDEX calls_by_time ON calls (at)`;

/** Steps of one turn share a commit. */
function openMoney(): Money {
  const database = new DatabaseSync(join(folder, 'floor.db'));
  database.exec(TABLES);
  const sql = (text: string): StatementSync => database.prepare(text);
  const [take, open] = [
    sql('UPDATE balances SET held = held + ? WHERE account = ? AND balance - held >= ?'),
    sql("INSERT INTO charges VALUES (?, ?, ?, 'held', ?, NULL, ?)"),
  ];
  const [give, close] = [
    sql('UPDATE balances SET held = held - ?, balance = balance - ? WHERE account = ?'),
    sql("UPDATE charges SET state = 'posted', usage = ? WHERE id = ?"),
  ];
  const [entry, call] = [sql('INSERT INTO entries VALUES (NULL, ?, ?, ?, ?)'), sql('INSERT INTO calls VALUES (NULL, ?, ?, 200, ?, ?)')];
  let gathered: { readonly step: () => void; readonly done: () => void }[] = [];
  const commit = (): void => {
    const steps = gathered;
    gathered = [];
    database.exec('BEGIN IMMEDIATE');
    for (const { step } of steps) step();
    database.exec('COMMIT');
    for (const { done } of steps) done();
  };
  const gather = (step: () => void): Promise<void> =>
    new Promise((done) => {
      if (gathered.push({ step, done }) === 1) setImmediate(commit);
    });
  return {
    hold: (id, key) =>
      gather(() => {
        take.run(500, ACCOUNT, 500);
        open.run(id, ACCOUNT, key, 500, Date.now());
      }),
    charge: (id, usage) =>
      gather(() => {
        const at = Date.now();
        give.run(500, 100, ACCOUNT);
        close.run(usage, id);
        entry.run(id, ACCOUNT, -100, at);
        entry.run(id, 'revenue', 100, at);
        call.run(id, ACCOUNT, usage, at);
      }),
  };
}

const money = openMoney();
const pool = new Pool(vendorOrigin);
const log = createWriteStream(join(folder, 'output.log'));
const app = fastify({ bodyLimit: 32 * 1024 * 1024, keepAliveTimeout: 60_000 });
let calls = 0;

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: unknown;
}

async function answer({ request, reply, body }: Call) {
  const startedAt = performance.now();
  const authorization = request.headers.authorization ?? '';
  const id = `req_${++calls}`;
  const key = countIn(authorization);
  await money.hold(id, key);
  const headers = { 'content-type': 'application/json', authorization };
  const got = await pool.request({ path: request.url, method: 'POST', headers, body: JSON.stringify(body) });
  // `as`: the vendor is our own.
  const found = (await got.body.json()) as { readonly usage: object };
  await money.charge(id, JSON.stringify(found.usage));
  countOut(key);
  const ms = performance.now() - startedAt;
  log.write(`${JSON.stringify({ time: new Date().toISOString(), id, path: request.url, status: got.statusCode, ms })}\n`);
  reply.header('x-request-id', id);
  // `as`: what a vendor answers is not checked.
  return { status: 200, body: found } as never;
}

const routes = initContract().router({ chat: contract.createChatCompletion, response: contract.createResponse } satisfies Record<
  string,
  AppRouteMutation
>);
const server = initServer();
await app.register(server.plugin(server.router(routes, { chat: answer, response: answer } as never)), { logInitialization: false });
await app.ready();
announce(app.server);
