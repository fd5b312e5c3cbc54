/** Opens a gateway that records or replays, and its vendor, and reads the recordings. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { type Serving, serve } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

export const vendorKey = 'sk-vendor-very-secret-0123456789';

export interface Open {
  readonly client: OpenAI;
  readonly served: Serving;
  /** The bodies of the answers, in order. */
  readonly heard: string[];
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
}

/** A folder with a configuration without load shedding, since tests run on busy machines. */
export function configured(settings = ''): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), `server: { overload: { loopDelayMs: 0 } }\n${settings}`);
  return folder;
}

/** Starts a gateway in its own folder. */
export async function open(words: readonly string[], env: Record<string, string> = {}, folder = configured()): Promise<Open> {
  const served = await serve({ folder, env }, words);
  const heard: string[] = [];
  const client = new OpenAI({
    baseURL: `${served.origin}/v1`,
    apiKey: served.key ?? '',
    maxRetries: 0,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      heard.push(await answer.clone().text());
      return answer;
    },
  });
  const post: Open['post'] = (path, body, headers = {}) =>
    fetch(`${served.origin}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { client, served, heard, post };
}

export async function openVendor(): Promise<{ fake: Fake; env: Record<string, string> }> {
  const fake = await openFake({ apiKey: vendorKey });
  onTestFinished(() => fake.close());
  return { fake, env: { OPENAI_API_KEY: vendorKey, OPENAI_BASE_URL: fake.url } };
}

export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
