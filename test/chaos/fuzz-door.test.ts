/** Random requests: the gateway survives, answers in the contract's shape, leaks no secret, and charges nothing for what it refuses (promises G2, G4 and G13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAttempts } from '../harness/record-attempts.ts';
import { factor, judge, run, runAll, seed } from '../programs/fuzz/campaign.ts';
import { forms } from '../programs/fuzz/forms.ts';
import { framings } from '../programs/fuzz/framing.ts';
import { addresses, contentTypes, headers } from '../programs/fuzz/heads.ts';
import { converse, type Lane } from '../programs/fuzz/lane.ts';
import { mutated } from '../programs/fuzz/mutations.ts';
import { checkAnswer } from '../programs/fuzz/oracle.ts';
import type { Vitals } from '../programs/fuzz/probe.ts';
import { checkReply, replyCases } from '../programs/fuzz/replies.ts';
import { anyOperation, expectationOf, jsonType, type OperationName, operations, repaired, requestOf } from '../programs/fuzz/requests.ts';
import { largeBodies, spoiltBodies } from '../programs/fuzz/spoilt.ts';
import { faultsInLog, openStage, type Stage } from '../programs/fuzz/stage.ts';

const MIN_CASES = 10_000;
/** What the heap may keep after all cases: filled caches, compiled code. */
const MAX_KEPT_BYTES = 48 * 1_048_576;
const PATIENCE_MS = 900_000 * factor;

let stage: Stage;
let before: Vitals;
beforeAll(async () => {
  stage = await openStage();
  console.log(`seed ${seed}, factor ${factor}`);
});
afterAll(async () => {
  console.log(stage.tally.report());
  await stage.close();
});

const post = (path: string, body: Buffer | string): Buffer => requestOf({ path, key: stage.gateway.key, headers: [jsonType] }, body);
interface BodyCase {
  readonly name: OperationName;
  readonly text: string;
}
async function askBody({ name, text }: BodyCase, lane: Lane): Promise<void> {
  const operation = operations[name];
  await judge(stage, lane, { bytes: post(operation.path, text), expects: expectationOf(text, operation) });
}
const fuzz = (title: string, work: () => Promise<void>): void => test(title, { timeout: PATIENCE_MS }, work);

fuzz('a body that the contract allows is served, or rejected for what the model cannot do', async () => {
  const cases = anyOperation.chain((name) =>
    operations[name].bodies.map((body) => ({ name, text: JSON.stringify(repaired(body, operations[name].schema)) ?? '' })),
  );
  await run(stage, { name: 'good bodies', cases, runs: 1_300, check: askBody });
  expect(stage.tally.servedShare('good bodies')).toBeGreaterThan(0.4);
  before = await stage.vitals();
});

fuzz('a body with one mutation is served or rejected, as the contract says', async () => {
  const cases = anyOperation.chain((name) =>
    mutated(operations[name].bodies.map((body) => repaired(body, operations[name].schema))).map((text) => ({ name, text })),
  );
  await run(stage, { name: 'bodies off by one', cases, runs: 2_000, check: askBody });
});

fuzz('a body that is cut or changed at any byte is rejected if it is no longer JSON', async () => {
  for (const [name, operation] of Object.entries(operations)) {
    await runAll(
      stage,
      {
        name: `${name}, spoilt at every byte`,
        check: async (text, lane) =>
          void (await judge(stage, lane, { bytes: post(operation.path, text), expects: expectationOf(text, operation) })),
      },
      spoiltBodies(operation.plain, seed),
    );
  }
});

fuzz('random headers are served or rejected, and inject no header into the answer', async () => {
  await run(stage, {
    name: 'headers',
    cases: headers(stage.gateway.key),
    runs: 1_250,
    check: async ({ head, body, expects }) => {
      const answers = await converse(stage.gateway.port, requestOf(head, body), true);
      for (const answer of answers) {
        stage.tally.note(answer);
        expect(answer.headers).not.toHaveProperty('x-injected');
        checkAnswer(answer, expects, stage.secrets);
      }
    },
  });
});

fuzz('a request for a random address is served, or rejected with an error of the contract', async () => {
  await run(stage, {
    name: 'addresses',
    cases: addresses(stage.gateway.key),
    runs: 1_250,
    check: async ({ head, body, expects }, lane) =>
      void (await judge(stage, lane, { bytes: requestOf(head, body), expects, isHead: head.method === 'HEAD' })),
  });
});

fuzz('a body with a wrong content type or content encoding is served or rejected', async () => {
  await run(stage, {
    name: 'types and encodings',
    cases: contentTypes(stage.gateway.key),
    runs: 750,
    check: async ({ head, body, expects }, lane) => void (await judge(stage, lane, { bytes: requestOf(head, body), expects })),
  });
});

fuzz('a request with ambiguous framing is rejected, and its bytes are never read as a second request', async () => {
  await run(stage, {
    name: 'framing',
    cases: framings(stage.gateway.key),
    runs: 1_250,
    check: async ({ bytes, isAmbiguous, isWhole }) => {
      const answers = await converse(stage.gateway.port, Buffer.from(bytes, 'latin1'), isWhole);
      for (const answer of answers) {
        stage.tally.note(answer);
        checkAnswer(answer, isAmbiguous ? 'rejected' : 'any', stage.secrets);
        expect(answer.body).not.toContain('/v1/hidden');
      }
      if (isAmbiguous) expect(answers).toHaveLength(1);
    },
  });
});

fuzz('random multipart forms are served or rejected', async () => {
  await run(stage, {
    name: 'forms',
    cases: forms,
    runs: 600,
    check: async ({ type, body }, lane) => {
      const head = { path: operations.edits.path, key: stage.gateway.key, headers: [`content-type: ${type}`] };
      await judge(stage, lane, { bytes: requestOf(head, body), expects: 'any' });
    },
  });
});

fuzz('a caller reads the text of the model unchanged, also where it contains SSE syntax', async () => {
  let cases = 0;
  await run(stage, {
    name: 'model output',
    cases: replyCases,
    runs: 750,
    check: async (reply, lane) => {
      const name = `case-${++cases}`;
      await checkReply(stage, lane, { name, reply });
    },
  });
});

fuzz('large bodies are served or rejected', async () => {
  await runAll(
    stage,
    {
      name: 'sizes',
      lanes: 1,
      check: async ({ path, text }, lane) => void (await judge(stage, lane, { bytes: post(path, text), expects: 'any' })),
    },
    largeBodies(),
  );
});

test('G4, G13: logs no fault and returns to its heap size after at least 10,000 cases', async () => {
  expect(faultsInLog(stage.gateway.log, stage.secrets).slice(0, 3)).toEqual([]);
  const after = await stage.vitals();
  expect(after.heapBytes - before.heapBytes).toBeLessThan(MAX_KEPT_BYTES);
  expect(stage.tally.cases).toBeGreaterThanOrEqual(MIN_CASES);
  recordAttempts(['G4', 'G13'], { what: 'requests of chance at the door', times: stage.tally.cases });
});
