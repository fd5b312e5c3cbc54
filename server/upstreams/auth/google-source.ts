/** Finds the credentials of Google: those of the configuration, otherwise the application default credentials of the machine. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AuthOf } from '../../config/clouds/auth-schema.ts';
import { type GoogleCredentials, isJson, readGoogleCredentials } from '../../config/clouds/google-credentials.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a token comes from. */
export type GoogleSource = { readonly kind: 'credentials'; readonly credentials: GoogleCredentials } | MetadataServer;
interface MetadataServer {
  readonly kind: 'metadata';
  readonly host: string;
}

/** Reads the files for each token, since they may be replaced. Rejects when the named credentials cannot be read. */
export async function findSource({ credentials }: Pick<AuthOf<'google'>, 'credentials'>, env: Environment): Promise<GoogleSource> {
  if (credentials !== undefined) return isJson(credentials) ? read(credentials, 'credentials') : readAt(credentials, 'credentials');
  const named = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (named) return readAt(named, 'GOOGLE_APPLICATION_CREDENTIALS');
  const ofGcloud = await readFile(gcloudFile(env), 'utf8').catch(() => null);
  if (ofGcloud !== null) return read(ofGcloud, 'the file of gcloud auth application-default login');
  return { kind: 'metadata', host: env.GCE_METADATA_HOST || 'metadata.google.internal' };
}

/** What `gcloud auth application-default login` writes. */
function gcloudFile({ CLOUDSDK_CONFIG, APPDATA }: Environment): string {
  const base = process.platform === 'win32' && APPDATA ? join(APPDATA, 'gcloud') : join(homedir(), '.config', 'gcloud');
  return join(CLOUDSDK_CONFIG || base, 'application_default_credentials.json');
}

async function readAt(path: string, name: string): Promise<GoogleSource> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`the file of ${name} cannot be read: ${cause.code ?? 'unknown reason'}`);
  });
  return read(text, name);
}

function read(text: string, name: string): GoogleSource {
  const credentials = readGoogleCredentials(text);
  if (typeof credentials === 'string') throw new Error(`what ${name} holds ${credentials}`);
  return { kind: 'credentials', credentials };
}
