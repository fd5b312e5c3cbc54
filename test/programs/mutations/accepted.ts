/** Mutants that no test notices, each with the reason why none has to. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of the source.
import type { Mutant } from './mutants.ts';

export type Accepted = Pick<Mutant, 'file' | 'text' | 'change'> & { readonly reason: string };

/** Files whose other mutants are listed and accepted for now, each with what is missing. */
export const open: Readonly<Record<string, string>> = {
  'server/limits/redis/connection.ts': 'A connection that breaks takes a test seconds: quicker tests of outages are missing.',
  'server/limits/redis/limiter.ts': 'An outage of Redis takes a test seconds: quicker tests of outages are missing.',
};

/** Each change by its line of the source and what it changes there. */
const accept = (file: string, reason: string, changes: readonly (readonly [text: string, change: string])[]): Accepted[] =>
  changes.map(([text, change]) => ({ file, text, change, reason }));

export const accepted: readonly Accepted[] = [
  ...accept('server/billing/billing.ts', 'How long the end of a process waits, and how often it looks, is no promise to the millisecond.', [
    ['const LAST_SETTLES_MS = 2_000;', 'LAST_SETTLES_MS = 2_000 → 2001'],
    ['const LAST_SETTLES_MS = 2_000;', 'LAST_SETTLES_MS = 2_000 → 0'],
    [
      'for (const end = performance.now() + waitMs + LAST_SETTLES_MS; open.size > 0 && performance.now() < end; ) await wait(10);',
      'performance.now() < end → performance.now() <= end',
    ],
    [
      'for (const end = performance.now() + waitMs + LAST_SETTLES_MS; open.size > 0 && performance.now() < end; ) await wait(10);',
      '10 → 11',
    ],
    [
      'for (const end = performance.now() + waitMs + LAST_SETTLES_MS; open.size > 0 && performance.now() < end; ) await wait(10);',
      '10 → 0',
    ],
  ]),
  ...accept('server/billing/billing.ts', 'It only decides whether the log mentions damaged records.', [
    ['if (outbox.damaged > 0)', 'outbox.damaged > 0 → false'],
    ['if (outbox.damaged > 0)', '0 → 1'],
  ]),
  ...accept('server/billing/billing.ts', 'With billing on, the configuration is refused when a model has no price.', [
    [
      'const standard = models.flatMap(({ id, prices }) => (prices === undefined ? [] : [{ priceList: STANDARD, model: id, prices }]));',
      'prices === undefined → false',
    ],
  ]),
  ...accept('server/billing/hold.ts', 'Giving back a hold that was never made changes nothing.', [
    ["void reserving.then((late) => (late.kind === 'held' ? giveBack() : undefined), giveBack);", "late.kind === 'held' → true"],
  ]),
  ...accept('server/billing/hold.ts', 'It only chooses the words of the message.', [
    [
      "const what = kind === 'tier' ? `The service tier '${name}'` : `The tool at '${path}', priced as '${name}',`;",
      "kind === 'tier' → false",
    ],
    [
      "const remedy = kind === 'tier' ? \"Send 'default', or leave it out.\" : 'Leave it out, or ask the operator of this gateway for a price.';",
      "kind === 'tier' → true",
    ],
  ]),
  ...accept('server/billing/hold.ts', 'Of two equal amounts either one is right.', [
    ['const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);', 'one < other → one <= other'],
  ]),
  ...accept('server/billing/hold.ts', 'The price book itself falls back to the standard list.', [
    ['return prices.find(subscription?.priceList ?? STANDARD, model);', 'subscription?.priceList ?? STANDARD → subscription?.priceList'],
  ]),
  ...accept('server/billing/metering.ts', 'Both watch the same text; the one of a translation has read it already.', [
    [
      'this.#shown = isMeasured ? (inner.written?.output ?? watchOutput(protocol)) : null;',
      'inner.written?.output ?? watchOutput(protocol) → watchOutput(protocol)',
    ],
  ]),
  ...accept('server/billing/metering.ts', 'No dialect reports usage only when its stream is closed; it is there for one that will.', [
    ['this.#forgetCounted(before);', 'this.#forgetCounted(before); → (removed)'],
  ]),
  ...accept('server/billing/metering.ts', 'Nothing is no more than 0 either.', [
    [
      'this.#isOwed ||= (this.#shown?.text.length ?? 0) > 0 || (this.failure !== null && this.usage !== before && saysSomething(this.usage));',
      'this.#shown?.text.length ?? 0 → this.#shown?.text.length',
    ],
  ]),
  ...accept('server/billing/metering.ts', 'The default of an input that is not used then.', [
    [
      "const [input = 0, output = 0] = isTold ? [] : await estimator.count([isCounted ? textOf(request) : '', produced?.text ?? '']);",
      '0 → 1',
    ],
  ]),
  ...accept('server/billing/metering.ts', 'Where nothing is measured, nobody reads the text.', [
    [
      'return { usage: this.usage, produced: this.#shown?.text ?? new Produced(), pictures, tools, request: this.#request, cut };',
      'this.#shown?.text ?? new Produced() → this.#shown?.text',
    ],
  ]),
  ...accept('server/billing/metering.ts', 'Without text there is nothing to scale.', [
    ['output: countedOutput(reported.output + Math.ceil(output * (produced?.scale ?? 1)), cut, most),', '1 → 2'],
    ['output: countedOutput(reported.output + Math.ceil(output * (produced?.scale ?? 1)), cut, most),', '1 → 0'],
  ]),
  ...accept('server/billing/recovery.ts', 'A sign of life after the end only makes the next process wait a little longer.', [
    ['await running?.catch(() => undefined);', 'await running?.catch(() => undefined); → (removed)'],
  ]),
  ...accept('server/ledger/money.ts', 'At the bound both results are the same amount.', [
    ['if (micros < 0n) return 0n;', 'micros < 0n → micros <= 0n'],
    ['if (micros < 0n) return 0n;', '0n → 1n'],
    ['return micros > MAX_AMOUNT ? MAX_AMOUNT : micros;', 'micros > MAX_AMOUNT → micros >= MAX_AMOUNT'],
  ]),
  ...accept('server/ledger/partial-hold.ts', 'Of two equal amounts either one is right.', [
    ['return amount < most ? amount : most;', 'amount < most → amount <= most'],
  ]),
  ...accept('server/ledger/postgres/amounts.ts', 'At the bound both results are the same amount.', [
    ['if (micros > LARGEST) return LARGEST;', 'micros > LARGEST → micros >= LARGEST'],
    ['return micros < -LARGEST ? -LARGEST : micros;', 'micros < -LARGEST → micros <= -LARGEST'],
  ]),
  ...accept('server/ledger/postgres/charges.ts', 'JSON.parse(null) is null, too.', [
    ['metered: usage === null ? null : (JSON.parse(usage) as Metered),', 'usage === null → false'],
  ]),
  ...accept('server/ledger/postgres/charges.ts', 'No charge was made in the first millisecond of 1970.', [['from = 0,', '0 → 1']]),
  ...accept('server/ledger/postgres/nodes.ts', 'A bar that stays a millisecond longer bars nothing more.', [
    ['const DAY_MS = 86_400_000;', 'DAY_MS = 86_400_000 → 86400001'],
    ['const DAY_MS = 86_400_000;', 'DAY_MS = 86_400_000 → 0'],
    ['await write(DELETE_OLD_BARS, [at - DAY_MS]);', 'await write(DELETE_OLD_BARS, [at - DAY_MS]); → (removed)'],
    ['await write(DELETE_OLD_BARS, [at - DAY_MS]);', 'at - DAY_MS → at + DAY_MS'],
  ]),
  ...accept('server/ledger/postgres/nodes.ts', 'The driver writes undefined as null.', [
    ['const [row] = await write(NOTE_HEARTBEAT, [node, at ?? null, report ?? null]);', 'at ?? null → at'],
    ['const [row] = await write(NOTE_HEARTBEAT, [node, at ?? null, report ?? null]);', 'report ?? null → report'],
  ]),
  ...accept(
    'server/ledger/postgres/price-versions.ts',
    'The lock orders writers that come at the same moment, which no test can arrange.',
    [['await queries.query(queue);', 'await queries.query(queue); → (removed)']],
  ),
  ...accept('server/ledger/postgres/price-versions.ts', 'The statement yields a row always; the check is for the compiler.', [
    ["if (!added) throw new TypeError('a price was written and no version came of it');", '!added → false'],
  ]),
  ...accept('server/ledger/postgres/reconcile.ts', 'How long it may take is no promise to the millisecond.', [
    ['const LONGEST_MS = 1_800_000;', 'LONGEST_MS = 1_800_000 → 1800001'],
  ]),
  ...accept(
    'server/ledger/postgres/settles.ts',
    'Another try changes nothing: it matters only when the hold arrives between two of them.',
    [
      ['const MOST_VOIDS = 2;', 'MOST_VOIDS = 2 → 3'],
      ['const MOST_VOIDS = 2;', 'MOST_VOIDS = 2 → 0'],
      ['for (let tries = 1; ; tries++) {', '1 → 2'],
      ['for (let tries = 1; ; tries++) {', '1 → 0'],
      ["if (result.kind !== 'unknown' || tries > MOST_VOIDS) return result;", "result.kind !== 'unknown' || tries > MOST_VOIDS → true"],
      ["if (result.kind !== 'unknown' || tries > MOST_VOIDS) return result;", 'tries > MOST_VOIDS → tries >= MOST_VOIDS'],
      ["if (result.kind !== 'unknown' || tries > MOST_VOIDS) return result;", 'tries > MOST_VOIDS → tries <= MOST_VOIDS'],
      ['if (row?.barred === true) return result;', 'row?.barred === true → row?.barred !== true'],
      ['if (row?.barred === true) return result;', 'row?.barred === true → true'],
      ['if (row?.barred === true) return result;', 'row?.barred === true → false'],
      ['if (row?.barred === true) return result;', 'true → false'],
    ],
  ),
  ...accept('server/ledger/postgres/settles.ts', 'It decides which settlements share a batch, not what they do.', [
    ["lockOf: ({ accountId }) => accountId ?? '',", "accountId ?? '' → accountId"],
    ["lockOf: ({ accountId }) => accountId ?? '',", "accountId ?? '' → ''"],
  ]),
  ...accept('server/ledger/postgres/settles.ts', 'It matters only when two processes expire the same hold at the same moment.', [
    ["if (row.came_to !== 'settled') return [];", "row.came_to !== 'settled' → false"],
    [
      "return [{ requestId: requestIds[index] ?? '', accountId: text(row.account), node: text(row.node), held: integer(row.held) }];",
      "requestIds[index] ?? '' → requestIds[index]",
    ],
  ]),
  ...accept('server/ledger/postgres/settles.ts', 'The longer statement does the same without attempts.', [
    [
      'if (closings.every(({ attempts }) => attempts === undefined)) return [settle, columns];',
      'closings.every(({ attempts }) => attempts === undefined) → false',
    ],
  ]),
  ...accept(
    'server/ledger/postgres/subscriptions.ts',
    'The function always names the other subscription; the default is for the compiler.',
    [["return cameTo === 'overlaps' ? { kind: cameTo, id: other ?? '' } : { kind: cameTo };", "other ?? '' → other"]],
  ),
  ...accept('server/ledger/prices.ts', 'Of two equal amounts either one is right.', [
    [
      'export const dearest = (amounts: readonly bigint[]): bigint => amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);',
      'amount > most → amount >= most',
    ],
  ]),
  ...accept('server/ledger/sqlite/charges.ts', 'JSON.parse(null) is null, too.', [
    ['metered: usage === null ? null : (JSON.parse(usage) as Metered),', 'usage === null → false'],
  ]),
  ...accept('server/ledger/sqlite/charges.ts', 'No charge was made in the first millisecond of 1970.', [
    ['const { accountId, keyId = null, from = 0, to = Number.MAX_SAFE_INTEGER, limit, after = null } = query;', '0 → 1'],
  ]),
  ...accept('server/ledger/sqlite/holds.ts', 'At the bound both results are the same amount.', [
    ["return { kind: 'refused', by, available: available > 0n ? available : 0n };", 'available > 0n → available >= 0n'],
  ]),
  ...accept('server/ledger/sqlite/holds.ts', 'It is only compared with another word.', [
    ["return { kind: 'source', allowance: plan.allowance, amount: isStopping ? ofPlan : amount };", "'source' → ''"],
    ["return { kind: 'source', allowance: plan.allowance, amount: ofPlan };", "'source' → ''"],
    ["return ofBalance === null ? refuse('balance', free.left) : { kind: 'source', allowance: null, amount: ofBalance };", "'source' → ''"],
  ]),
  ...accept('server/ledger/sqlite/holds.ts', 'It only saves a look-up for accounts without a subscription.', [
    [
      'return chooseSource({ amount, least: order.least ?? amount }, facts.has_plan === 1n ? planOf(accountId, at) : undefined, free);',
      'facts.has_plan === 1n → true',
    ],
  ]),
  ...accept('server/ledger/sqlite/holds.ts', 'The statement yields a row always; the default is for the compiler.', [
    [
      'look.get(',
      'look.get( requestId, accountId, accountId, accountId, cap?.owner ?? null, cap?.start ?? null, cap?.owner ?? null, cap?.start ?? null, ) ?? {} → look.get( requestId, accountId, accountId, accountId, cap?.owner ?? null, cap?.start ?? null, cap?.owner ?? null, cap?.start ?? null, )',
    ],
  ]),
  ...accept('server/ledger/sqlite/price-versions.ts', 'The statement yields a row always; the default is for the compiler.', [
    [
      'const added = asPrice(insert.get(priceList, model, source, prices, createdAt) ?? {});',
      'insert.get(priceList, model, source, prices, createdAt) ?? {} → insert.get(priceList, model, source, prices, createdAt)',
    ],
  ]),
  ...accept(
    'server/ledger/sqlite/reconcile-apart.ts',
    'No test makes the thread fail; without these an operator would wait for an answer.',
    [
      ["worker.once('error', reject);", "worker.once('error', reject); → (removed)"],
      [
        "worker.once('exit', () => reject(new Error('the thread that reconciles ended without a word')));",
        "worker.once('exit', () => reject(new Error('the thread that reconciles ended without a word'))); → (removed)",
      ],
    ],
  ),
  ...accept('server/ledger/sqlite/reconcile.ts', 'The statement yields a row always; the default is for the compiler.', [
    ['const one = (sql: string): Row => ask(sql)[0] ?? {};', 'ask(sql)[0] ?? {} → ask(sql)[0]'],
  ]),
  ...accept('server/ledger/sqlite/rows.ts', 'The tables are strict: no statement yields another type.', [
    ["if (typeof value !== 'string') throw new TypeError('a text column holds no text');", "typeof value !== 'string' → false"],
    ["if (typeof value !== 'bigint') throw new TypeError('an integer column holds no integer');", "typeof value !== 'bigint' → false"],
  ]),
  ...accept('server/ledger/sqlite/settles.ts', 'No account has less than nothing free; the check is for rows that somebody changed.', [
    ['const charged = [cost, held, left > 0n ? left : 0n].reduce((least, one) => (one < least ? one : least));', 'left > 0n → left >= 0n'],
    ['const charged = [cost, held, left > 0n ? left : 0n].reduce((least, one) => (one < least ? one : least));', 'left > 0n → true'],
    [
      'const charged = [cost, held, left > 0n ? left : 0n].reduce((least, one) => (one < least ? one : least));',
      'one < least → one <= least',
    ],
  ]),
  ...accept('server/ledger/sqlite/settles.ts', 'The statement only compares it with 0.', [
    ['const row = find.get(requestId, isKeyed ? 1 : 0);', '1 → 2'],
  ]),
  ...accept('server/limits/asked/counter.ts', 'A take of requests alone that is kept has nothing to give back.', [
    ['if (take.isProvisional || endsLater(take)) open.set(number, take);', 'take.isProvisional || endsLater(take) → true'],
  ]),
  ...accept('server/limits/asked/counter.ts', 'Nothing is found under null.', [
    [
      'const take: Take = { ...asked, replaces: asked.replaces === null ? null : (open.get(asked.replaces) ?? null) };',
      'asked.replaces === null → false',
    ],
    [
      'const take: Take = { ...asked, replaces: asked.replaces === null ? null : (open.get(asked.replaces) ?? null) };',
      'open.get(asked.replaces) ?? null → open.get(asked.replaces)',
    ],
    ['if (asked.replaces !== null) open.delete(asked.replaces);', 'asked.replaces !== null → true'],
  ]),
  ...accept('server/limits/asked/counter.ts', 'Only slots are given back there, whatever the tokens.', [
    ["else this.#limits.finish({ ...take, quantities: ['concurrency'] }, 0);", '0 → 1'],
  ]),
  ...accept('server/limits/asked/limits.ts', 'An empty question is not sent.', [
    ['if (this.#waiting.length === 0) setImmediate(() => this.#send());', 'this.#waiting.length === 0 → true'],
  ]),
  ...accept('server/limits/asked/limits.ts', 'Numbers only have to differ.', [
    ['#lastTake = 0;', '0 → 1'],
    ['#lastQuestion = 0;', '0 → 1'],
  ]),
  ...accept('server/limits/asked/limits.ts', 'The default is for the compiler: a question has its steps, and each step its answer.', [
    ['for (const { resolve } of late?.steps ?? []) resolve(null);', 'late?.steps ?? [] → late?.steps'],
    ['for (const [at, { resolve }] of sent.steps.entries()) resolve(answers[at] ?? null);', 'answers[at] ?? null → answers[at]'],
  ]),
  ...accept('server/limits/asked/limits.ts', 'The other side gives back whatever is not called an end.', [
    ["return number === undefined ? NONE : this.#tell({ kind: 'give back', number });", "'give back' → ''"],
    ["void this.#ask(take.isProvisional ? { kind: 'give back', number } : { kind: 'finish', number, usedTokens: 0 });", "'give back' → ''"],
  ]),
  ...accept('server/limits/asked/limits.ts', 'Undefined is sent as null.', [
    [
      'return this.#take(take, { ...asked, replaces: (replaces && this.#numbers.get(replaces)) ?? null });',
      '(replaces && this.#numbers.get(replaces)) ?? null → (replaces && this.#numbers.get(replaces))',
    ],
  ]),
  ...accept('server/limits/body-memory.ts', 'An entry of nothing counts as none; it only takes memory.', [
    ['if (taken.bytes === 0 && taken.reading === 0) this.#keys.delete(keyId);', 'taken.bytes === 0 && taken.reading === 0 → false'],
    ['if (taken.bytes === 0 && taken.reading === 0) this.#keys.delete(keyId);', 'this.#keys.delete(keyId); → (removed)'],
  ]),
  ...accept('server/limits/body-memory.ts', 'It is only shown, rounded to whole MiB.', [
    ['export const MEBIBYTE = 1_048_576;', 'MEBIBYTE = 1_048_576 → 1048577'],
  ]),
  ...accept('server/limits/fallback.ts', 'Only slots are given back there, whatever the tokens.', [
    ['return () => void memory.finish(slots, 0);', '0 → 1'],
  ]),
  ...accept('server/limits/fallback.ts', 'The default is for the compiler: nothing is found under null, and each part has its limit.', [
    ['const replaces = take.replaces ? (taken.get(take.replaces) ?? null) : null;', 'take.replaces → true'],
    [
      'const replaces = take.replaces ? (taken.get(take.replaces) ?? null) : null;',
      'taken.get(take.replaces) ?? null → taken.get(take.replaces)',
    ],
    [
      'const written = (part: Limit): Limit => limits[parts.indexOf(part)] ?? part;',
      'limits[parts.indexOf(part)] ?? part → limits[parts.indexOf(part)]',
    ],
  ]),
  ...accept('server/limits/gcra.ts', 'An empty bucket that stays only takes memory.', [
    [
      'export const isSpare = ({ level, pending, at, most }: Bucket, now: number): boolean => pending === 0 && level <= (now - at) * most;',
      'level <= (now - at) * most → level < (now - at) * most',
    ],
    [
      'export const isSpare = ({ level, pending, at, most }: Bucket, now: number): boolean => pending === 0 && level <= (now - at) * most;',
      '(now - at) * most → (now - at) / most',
    ],
  ]),
  ...accept('server/limits/gcra.ts', 'It is a sixty-thousandth of a token.', [
    ['const left = Math.max(taken * MINUTE_MS - forMs * bucket.most, 0);', '0 → 1'],
  ]),
  ...accept('server/limits/in-use.ts', 'It is overwritten in the next lines.', [
    ['const entry = table.get(limit.subject) ?? { limit, metAt: 0, slots: [] };', '0 → 1'],
  ]),
  ...accept('server/limits/in-use.ts', 'Noting a list twice changes nothing; it only takes time.', [
    ['if (this.#noted.has(limits)) return;', 'this.#noted.has(limits) → false'],
    ['this.#noted.add(limits);', 'this.#noted.add(limits); → (removed)'],
  ]),
  ...accept(
    'server/limits/in-use.ts',
    'The sums are the same over more and smaller slots; those that are too old are left out when they are added up.',
    [
      ['let slot = slots.at(-1);', '1 → 0'],
      [
        'entry.slots = [...slots.filter((one) => one.from > from - HOUR_MS), slot];',
        'one.from > from - HOUR_MS → one.from >= from - HOUR_MS',
      ],
    ],
  ),
  ...accept('server/limits/memory.ts', 'It matters only for the end of a take that was never made.', [
    ['const forMs = now - (this.#takenAt.get(take) ?? 0);', 'this.#takenAt.get(take) ?? 0 → this.#takenAt.get(take)'],
    ['const forMs = now - (this.#takenAt.get(take) ?? 0);', '0 → 1'],
    ["if (limit.quantity === 'tokens') this.#takenAt.set(take, now);", "limit.quantity === 'tokens' → true"],
  ]),
  ...accept('server/limits/memory.ts', 'It only saves an object.', [
    ['return limits.length === 0 ? NO_WINDOWS : new Look(this, limits);', 'limits.length === 0 → false'],
  ]),
  ...accept('server/limits/memory.ts', 'Less than a millisecond.', [
    ['return Math.floor(this.#clock());', 'Math.floor(this.#clock()) → Math.ceil(this.#clock())'],
  ]),
  ...accept('server/limits/memory.ts', 'Nobody reads the slots of a rate, nor when anything else than tokens was taken.', [
    ["if (limit.quantity === 'concurrency') counter.slots = Math.max(counter.slots - 1, 0);", "limit.quantity === 'concurrency' → true"],
  ]),
  ...accept('server/limits/memory.ts', 'Of two limits with the same wait either one may be named.', [
    ['else if (longest === null || ms > longest.ms) longest = { limit, ms };', 'ms > longest.ms → ms >= longest.ms'],
  ]),
  ...accept('server/limits/memory.ts', 'Only requests are taken provisionally, and each costs 1.', [
    [
      'bucket.pending = Math.max(bucket.pending + times * costOf(limit, take), 0);',
      'times * costOf(limit, take) → times / costOf(limit, take)',
    ],
  ]),
  ...accept('server/limits/memory.ts', 'When empty counters are dropped changes memory alone; that those in use stay is tested.', [
    ['const SWEEP_AT = 10_000;', 'SWEEP_AT = 10_000 → 10001'],
    ['const SWEEP_AT = 10_000;', 'SWEEP_AT = 10_000 → 0'],
    ['if (this.#size() >= this.#sweepAt) this.#sweep();', 'this.#size() >= this.#sweepAt → this.#size() > this.#sweepAt'],
    ['if (this.#size() >= this.#sweepAt) this.#sweep();', 'this.#size() >= this.#sweepAt → false'],
    ['if (this.#size() >= this.#sweepAt) this.#sweep();', 'this.#sweep(); → (removed)'],
    ['return this.#allTables.reduce((sum, { size }) => sum + size, 0);', 'sum + size → sum - size'],
    ['return this.#allTables.reduce((sum, { size }) => sum + size, 0);', '0 → 1'],
    [
      'for (const [subject, { bucket, slots }] of table) if (slots === 0 && isSpare(bucket, now)) table.delete(subject);',
      'slots === 0 && isSpare(bucket, now) → false',
    ],
    [
      'for (const [subject, { bucket, slots }] of table) if (slots === 0 && isSpare(bucket, now)) table.delete(subject);',
      'table.delete(subject); → (removed)',
    ],
    ['this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size());', 'this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size()); → (removed)'],
    [
      'this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size());',
      'Math.max(SWEEP_AT, 2 * this.#size()) → Math.min(SWEEP_AT, 2 * this.#size())',
    ],
    ['this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size());', '2 → 3'],
    ['this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size());', '2 → 0'],
  ]),
  ...accept('server/limits/memory.ts', 'Where both are equal the result is the same.', [
    ['if (usedTokens > taken) pour(counter.bucket, usedTokens - taken, mostOwed(limit));', 'usedTokens > taken → usedTokens >= taken'],
    [
      'if (found === null || window.remaining < found.remaining) found = window;',
      'window.remaining < found.remaining → window.remaining <= found.remaining',
    ],
  ]),
  ...accept('server/limits/read-cache.ts', 'Less than a millisecond.', [
    ['const now = (): number => Math.floor(performance.now());', 'Math.floor(performance.now()) → Math.ceil(performance.now())'],
  ]),
  ...accept('server/limits/redis/batcher.ts', 'What is sent soon is sent in the next turn anyway.', [
    ['while (batcher.size > 0) await nextTurn();', 'batcher.size > 0 → batcher.size <= 0'],
    ['while (batcher.size > 0) await nextTurn();', 'batcher.size > 0 → false'],
    ['while (batcher.size > 0) await nextTurn();', '0 → 1'],
  ]),
  ...accept('server/limits/redis/batcher.ts', 'Without an answer a step is rejected either way, with another error.', [
    [
      "const answer = answers[index] ?? ['Redis did not say what came of a step.'];",
      "answers[index] ?? ['Redis did not say what came of a step.'] → answers[index]",
    ],
  ]),
  ...accept('server/limits/redis/circuit-breaker.ts', 'A breaker that is not closed counts nothing and does not open again.', [
    ["if (this.#state.kind === 'closed') this.#state.failures = 0;", "this.#state.kind === 'closed' → true"],
    ["if (this.#state.kind !== 'closed') return;", "this.#state.kind !== 'closed' → false"],
  ]),
  ...accept('server/limits/redis/circuit-breaker.ts', 'A probe after the end finds that all is over.', [
    ['if (this.#state === state) this.#probeLater();', 'this.#state === state → true'],
  ]),
  ...accept('server/limits/redis/circuit-breaker.ts', 'It is only compared with other words.', [
    ["this.#state = { kind: 'over' };", "'over' → ''"],
  ]),
  ...accept('server/limits/redis/measure.ts', 'A window is computed from the level alone.', [
    ['const { remaining, resetMs } = windowOf({ level, pending, at: 0, most }, most);', '0 → 1'],
  ]),
  ...accept('server/limits/redis/measure.ts', 'It only saves a wait.', [
    ['const told = await steps.ask(lookStep(prefix, some), true);', 'true → false'],
  ]),
  ...accept('server/limits/redis/measure.ts', 'Steps of 101 limits give the same answers.', [
    ['const LIMITS_A_STEP = 100;', 'LIMITS_A_STEP = 100 → 101'],
    ['for (let from = 0; from < limits.length; from += LIMITS_A_STEP) {', 'from < limits.length → from <= limits.length'],
  ]),
  ...accept('server/limits/redis/measure.ts', 'The default is for the compiler: Redis answers for each limit.', [
    [
      'for (const [index, limit] of some.entries()) found.push(standingOf(limit, told[2 * index] ?? 0, told[2 * index + 1] ?? 0));',
      'told[2 * index] ?? 0 → told[2 * index]',
    ],
    [
      'for (const [index, limit] of some.entries()) found.push(standingOf(limit, told[2 * index] ?? 0, told[2 * index + 1] ?? 0));',
      '0 → 1',
    ],
    [
      'for (const [index, limit] of some.entries()) found.push(standingOf(limit, told[2 * index] ?? 0, told[2 * index + 1] ?? 0));',
      'told[2 * index + 1] ?? 0 → told[2 * index + 1]',
    ],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'Any negative cost is only read.', [
    ['const LOOKED_AT = -1;', 'LOOKED_AT = -1 → -2'],
    [
      'for (const limit of replaces?.limits ?? []) if (replaced.has(keyOf(prefix, limit))) add(limit, LOOKED_AT);',
      'replaced.has(keyOf(prefix, limit)) → true',
    ],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'Any negative number stands for no bound.', [
    ['return Number.isFinite(most) ? most : -1;', '1 → 2'],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'For the windows a request counts the same at the door and inside.', [
    [
      'else if (isAsked(take, limit) && take.isProvisional) state.pending += costOf(limit, take);',
      'isAsked(take, limit) && take.isProvisional → false',
    ],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'No request has that name.', [
    [
      "return `t${flag(take.isProvisional === true)} ${take.requestId}\\n${replaces?.requestId ?? ''}${lines}`;",
      "replaces?.requestId ?? '' → replaces?.requestId",
    ],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'Redis refuses only what a limit refuses.', [
    ["if (!longest) throw new Error('Redis refused what no limit refuses.');", '!longest → false'],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'The default is for the compiler: Redis answers for each limit.', [
    ['[answer, at = 0, ...found]: readonly number[],', '0 → 1'],
    [
      'const state = { level: found[3 * index] ?? 0, pending: found[3 * index + 1] ?? 0, at, most: limit.most };',
      'found[3 * index] ?? 0 → found[3 * index]',
    ],
    ['const state = { level: found[3 * index] ?? 0, pending: found[3 * index + 1] ?? 0, at, most: limit.most };', '0 → 1'],
    [
      'const state = { level: found[3 * index] ?? 0, pending: found[3 * index + 1] ?? 0, at, most: limit.most };',
      'found[3 * index + 1] ?? 0 → found[3 * index + 1]',
    ],
    ['if (!isTaken) state.pending += found[3 * index + 2] ?? 0;', 'found[3 * index + 2] ?? 0 → found[3 * index + 2]'],
    ['if (!isTaken) state.pending += found[3 * index + 2] ?? 0;', '0 → 1'],
    ['concerned(take).map((limit, index) => ({ limit, level: found[2 * index] ?? 0, pending: found[2 * index + 1] ?? 0 }));', '0 → 1'],
  ]),
  ...accept('server/limits/redis/script-steps.ts', 'What is given back at the door has no time.', [
    ["return `c${ending.kind === 'given back' ? 0 : ending.at} ${take.requestId}${lines}`;", '0 → 1'],
  ]),
];
