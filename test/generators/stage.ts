/** A gateway over the simulator, both documents, and folders in which clients are generated, built and run. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildAdminDocument } from '../../docs/generate/admin-openapi.ts';
import { drawPng } from '../fakes/images.ts';
import { startGateway } from '../harness/gateway.ts';

export const greeting = 'Say: Good morning from the gateway.';

/** One folder, in which one client is generated, built and run. */
export interface Workshop {
  readonly folder: string;
  /** The file to generate from. */
  readonly document: string;
  /** Runs a program in the folder, and gives what it printed. Throws all that it said where it fails. */
  run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
}

export interface Stage {
  /** A new folder with copies of these callers, for the document that the gateway serves to callers. */
  open(...callers: readonly string[]): Workshop;
  /** A new folder, for the document of the operators. */
  openForOperators(): Workshop;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  const root = mkdtempSync(join(tmpdir(), 'modelgate-generators-'));
  const [document, operators] = [join(root, 'openapi.json'), join(root, 'admin-openapi.json')];
  const picture = join(root, 'picture.png');
  writeFileSync(document, await (await fetch(`${gateway.origin}/openapi.json`)).text());
  writeFileSync(operators, JSON.stringify(buildAdminDocument()));
  writeFileSync(picture, drawPng(32, 32));
  const given = { MODELGATE_ORIGIN: gateway.origin, MODELGATE_API_KEY: gateway.key, GREETING: greeting, PICTURE: picture };
  const openOn = (file: string, callers: readonly string[]): Workshop => {
    const folder = mkdtempSync(join(root, 'client-'));
    for (const caller of callers) cpSync(join(import.meta.dirname, 'callers', caller), join(folder, caller.replace(/^.*\//, '')));
    mkdirSync(join(folder, 'generated'));
    return { folder, document: file, run: (program, args, env) => runIn(folder, [program, ...args], { ...given, ...env }) };
  };
  return {
    open: (...callers) => openOn(document, callers),
    // What a module of Go needs to be one is its callers' affair.
    openForOperators: () => openOn(operators, ['go/go.mod', 'go/go.sum']),
    async close() {
      await gateway.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function runIn(cwd: string, [program = '', ...args]: readonly string[], given: NodeJS.ProcessEnv): Promise<string> {
  // A compiler keeps what it has built before below the home of its user.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...given };
  try {
    return (await promisify(execFile)(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (cause) {
    const said = cause instanceof Error && 'stdout' in cause && 'stderr' in cause ? `${cause.stdout}\n${cause.stderr}` : String(cause);
    throw new Error(`${program} ${args.join(' ')}\n${said.slice(-4_000)}`, { cause });
  }
}
