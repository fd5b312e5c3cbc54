/** Whatever comes to the door, the gateway lives, answers in the contract's shape, tells nothing and charges nothing that it refused (promises G2, G4 and G13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factor, judge, run, runAll, seed } from '../fuzz/campaign.ts';
import { forms } from '../fuzz/forms.ts';
import { framings } from '../fuzz/framing.ts';
import { addresses, contentTypes, headers } from '../fuzz/heads.ts';
import { converse, type Lane } from '../fuzz/lane.ts';
import { mutated } from '../fuzz/mutations.ts';
import { checkAnswer } from '../fuzz/oracle.ts';
import type { Vitals } from '../fuzz/probe.ts';
import { checkReply, replyCases } from '../fuzz/replies.ts';
import { anyOperation, expectationOf, jsonType, type OperationName, operations, repaired, requestOf } from '../fuzz/requests.ts';
import { largeBodies, spoiltBodies } from '../fuzz/spoilt.ts';
import { faultsInLog, openStage, type Stage } from '../fuzz/stage.ts';
import { tried } from '../harness/tally.ts';

const LEAST_CASES = 20_000;
/** What may stay after everything: caches that fill up, compiled code. */
const MOST_KEPT_BYTES = 48 * 1_048_576;
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

fuzz('a caller whose body keeps the contract is served, or told what the model cannot do', async () => {
  const cases = anyOperation.chain((name) =>
    operations[name].bodies.map((body) => ({ name, text: JSON.stringify(repaired(body, operations[name].schema)) ?? '' })),
  );
  await run(stage, { name: 'good bodies', cases, runs: 2_600, check: askBody });
  expect(stage.tally.servedShare('good bodies')).toBeGreaterThan(0.4);
  before = await stage.vitals();
});

fuzz('a caller whose body is off by one change is served, or told which change', async () => {
  const cases = anyOperation.chain((name) =>
    mutated(operations[name].bodies.map((body) => repaired(body, operations[name].schema))).map((text) => ({ name, text })),
  );
  await run(stage, { name: 'bodies off by one', cases, runs: 4_000, check: askBody });
});

fuzz('a caller whose JSON is cut or changed at any byte is refused where it is none any more', async () => {
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

fuzz('a caller with headers of any kind is served or refused', async () => {
  await run(stage, {
    name: 'headers',
    cases: headers(stage.gateway.key),
    runs: 2_500,
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

fuzz('a caller who asks for any address is told what is there', async () => {
  await run(stage, {
    name: 'addresses',
    cases: addresses(stage.gateway.key),
    runs: 2_500,
    check: async ({ head, body, expects }, lane) =>
      void (await judge(stage, lane, { bytes: requestOf(head, body), expects, isHead: head.method === 'HEAD' })),
  });
});

fuzz('a caller whose body is of another type, or packed otherwise than it says, is served or refused', async () => {
  await run(stage, {
    name: 'types and encodings',
    cases: contentTypes(stage.gateway.key),
    runs: 1_500,
    check: async ({ head, body, expects }, lane) => void (await judge(stage, lane, { bytes: requestOf(head, body), expects })),
  });
});

fuzz('no bytes behind a request are taken for another one', async () => {
  await run(stage, {
    name: 'framing',
    cases: framings(stage.gateway.key),
    runs: 2_500,
    check: async ({ bytes, isAmbiguous, isWhole }) => {
      const answers = await converse(stage.gateway.port, Buffer.from(bytes, 'latin1'), isWhole);
      for (const answer of answers) {
        stage.tally.note(answer);
        checkAnswer(answer, isAmbiguous ? 'refused' : 'any', stage.secrets);
        expect(answer.body).not.toContain('/v1/hidden');
      }
      if (isAmbiguous) expect(answers).toHaveLength(1);
    },
  });
});

fuzz('a caller with a form of any shape is served or refused', async () => {
  await run(stage, {
    name: 'forms',
    cases: forms,
    runs: 1_200,
    check: async ({ type, body }, lane) => {
      const head = { path: operations.edits.path, key: stage.gateway.key, headers: [`content-type: ${type}`] };
      await judge(stage, lane, { bytes: requestOf(head, body), expects: 'any' });
    },
  });
});

fuzz('a caller reads what the model said, also where it says what a stream is made of', async () => {
  let cases = 0;
  await run(stage, {
    name: 'model output',
    cases: replyCases,
    runs: 1_500,
    check: async (reply, lane) => {
      const name = `case-${++cases}`;
      await checkReply(stage, lane, { name, reply });
    },
  });
});

fuzz('a caller with a body of any size is served or refused, and no body costs much more than to read and write it', async () => {
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

test('G4, G13: after all of it there were cases enough, the log is sound and the memory is back', async () => {
  expect(faultsInLog(stage.gateway.log, stage.secrets).slice(0, 3)).toEqual([]);
  const after = await stage.vitals();
  expect(after.heapBytes - before.heapBytes).toBeLessThan(MOST_KEPT_BYTES);
  expect(stage.tally.cases).toBeGreaterThanOrEqual(LEAST_CASES);
  tried(['G4', 'G13'], { what: 'requests of chance at the door', times: stage.tally.cases });
});
