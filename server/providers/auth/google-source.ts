/** Finds the Google credentials: configured, in a file, or from the metadata server of the machine. */

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AuthByType } from '../../config/auth-settings.ts';
import { type GoogleCredentials, isJson, readGoogleCredentials } from '../../config/clouds/google-credentials.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a token comes from. */
export type GoogleSource = { readonly kind: 'credentials'; readonly credentials: GoogleCredentials } | { kind: 'metadata'; host: string };

/** Reads the files for each token, since they may be replaced. Rejects if the named credentials can't be read. */
export async function findGoogleSource(
  { credentials }: Pick<AuthByType<'google'>, 'credentials'>,
  env: Environment,
): Promise<GoogleSource> {
  if (credentials !== undefined)
    return isJson(credentials) ? parseSource(credentials, 'credentials') : readSourceFile(credentials, 'credentials');
  const credentialsPath = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (credentialsPath) return readSourceFile(credentialsPath, 'GOOGLE_APPLICATION_CREDENTIALS');
  const gcloudText = await readFile(getGcloudFile(env), 'utf8').catch(() => null);
  if (gcloudText !== null) return parseSource(gcloudText, 'the gcloud application default credentials file');
  return { kind: 'metadata', host: env.GCE_METADATA_HOST || 'metadata.google.internal' };
}

/** Returns the file that `gcloud auth application-default login` writes. */
function getGcloudFile({ CLOUDSDK_CONFIG, APPDATA }: Environment): string {
  const base = process.platform === 'win32' && APPDATA ? join(APPDATA, 'gcloud') : join(homedir(), '.config', 'gcloud');
  return join(CLOUDSDK_CONFIG || base, 'application_default_credentials.json');
}

async function readSourceFile(path: string, name: string): Promise<GoogleSource> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`can't read the file in ${name}: ${cause.code ?? 'unknown reason'}`);
  });
  return parseSource(text, name);
}

function parseSource(text: string, name: string): GoogleSource {
  const credentials = readGoogleCredentials(text);
  if (typeof credentials === 'string') throw new Error(`the content of ${name} ${credentials}`);
  return { kind: 'credentials', credentials };
}
