/** The options of the benchmark's command line. */
import { parseArgs } from 'node:util';
import { readNumber } from '../../harness/options.ts';

export interface Options {
  readonly quick: boolean;
  /** Names of scenarios and of groups of them; empty is all. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** How long one server is under load for one number. */
  readonly loadMs: number;
  /** Requests, one after the other, behind one latency number. */
  readonly samples: number;
  readonly openStreams: number;
  readonly json: boolean;
  readonly withModelgate: boolean;
  /** A page whose measured tables are written anew. */
  readonly write: string | undefined;
  /** Folder for CPU profiles of Modelgate. */
  readonly profile: string | undefined;
}

export const help = `node test/programs/bench/run.ts [options]
  --only NAMES          scenarios, with commas between: plain is small, tools, codex, stream and open; translated, governed
                        and logged hold Modelgate against itself (stream-chat, json-anthropic, …; small-32, steady-1000, …; logged-32)
                        clouds is an upstream whose requests are signed and whose streams have the framing of AWS
                        moments are hang-up (until the vendor knows) and revoked (until the key is rejected)
                        engines is SQLite, and PostgreSQL + Redis with one to three processes; walls and memory are parts of it
                        waits is part of it too: how long callers wait while a store hangs, and other gateways take to hear of a change
                        goals is what the gateway may cost, each goal beside its result, in 30 rounds; takes some ten minutes
                        attacks is one caller who tries to stop everybody, by the numbers of their tests (A1, A4, A14-forms, …)
  --rounds N            rounds, each server once in every one (5)
  --streams N           open streams (1000)
  --quick               2 rounds, short, 200 open streams: for a look, not for a number
  --json                the result as JSON
  --write PAGE          writes the tables of engines into it: docs/scale.md
  --profile DIR         writes CPU profiles of Modelgate there
  --without-modelgate   only the two bare servers
`;

/** Null where the caller asked for help. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      streams: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'string' },
      write: { type: 'string' },
      'without-modelgate': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    only: values.only.split(',').filter((name) => name !== ''),
    rounds: count('--rounds', values.rounds, values.quick ? 2 : values.only.split(',').includes('goals') ? 30 : 5),
    quick: values.quick,
    loadMs: values.quick ? 400 : 1_000,
    samples: values.quick ? 200 : 500,
    openStreams: count('--streams', values.streams, values.quick ? 200 : 1_000),
    json: values.json,
    withModelgate: !values['without-modelgate'],
    profile: values.profile,
    write: values.write,
  };
}

const count = (name: string, text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : readNumber(name, text, { from: 1, to: 10_000 });
