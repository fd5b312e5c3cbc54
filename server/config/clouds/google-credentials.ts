/** The JSON of Google's credentials: key files, and what `gcloud` and workload identity federation write. */
import { z } from 'zod';
import { isPrivate } from '../values.ts';

/** Whether `credentials` of the configuration are JSON, not the path of a file. */
export const isJson = (credentials: string): boolean => credentials.trimStart().startsWith('{');

/** The credentials, or what is wrong with them; that names fields and no value. */
export function readGoogleCredentials(text: string): GoogleCredentials | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    return 'is no JSON';
  }
  built ??= build();
  const { success, data, error } = built.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  if (field === 'type') return 'has a type of credentials that is not supported';
  if (field.startsWith('credential_source')) return 'has a credential_source that is not supported: it must be a file or a url';
  return field === '' ? 'is no credentials of Google' : `has no valid ${field}`;
}

export type GoogleCredentials = z.output<ReturnType<typeof build>>;
export type GoogleCredentialsOf<Type extends GoogleCredentials['type']> = Extract<GoogleCredentials, { type: Type }>;

/** Built when the first credentials are read: a gateway without Google should not pay for it. */
let built: ReturnType<typeof build> | undefined;

const TOKENS = 'https://oauth2.googleapis.com/token';

function parts() {
  const text = z.string().min(1);
  // Secrets are sent there.
  const endpoint = z.url().refine(isPrivate, 'must start with https://');
  const project = z
    .string()
    .regex(/^[\w.:-]+$/)
    .optional();
  return { text, endpoint, project };
}

function build() {
  const { text, endpoint, project } = parts();
  const account = z.object({
    type: z.literal('service_account'),
    client_email: text,
    private_key: text,
    private_key_id: text.optional(),
    token_uri: endpoint.default(TOKENS),
    quota_project_id: project,
  });
  const user = z.object({
    type: z.literal('authorized_user'),
    client_id: text,
    client_secret: text,
    refresh_token: text,
    token_uri: endpoint.default(TOKENS),
    quota_project_id: project,
  });
  const impersonated = z.object({
    type: z.literal('impersonated_service_account'),
    service_account_impersonation_url: endpoint,
    delegates: z.array(text).optional(),
    source_credentials: z.discriminatedUnion('type', [account, user]),
    quota_project_id: project,
  });
  return z.discriminatedUnion('type', [account, user, impersonated, buildFederation()]);
}

function buildFederation() {
  const { text, endpoint, project } = parts();
  const format = z.object({ type: z.enum(['text', 'json']).default('text'), subject_token_field_name: text.optional() }).prefault({});
  // The platform's own address, plain http inside of some machines. With `environment_id` it is AWS's, whose requests are signed.
  const address = z.object({
    url: z.url(),
    headers: z.record(z.string(), z.string()).default({}),
    format,
    environment_id: z.never().optional(),
  });
  return z.object({
    type: z.literal('external_account'),
    audience: text,
    subject_token_type: text,
    token_url: endpoint,
    service_account_impersonation_url: endpoint.optional(),
    service_account_impersonation: z.object({ token_lifetime_seconds: z.int().min(600).max(43_200).optional() }).optional(),
    workforce_pool_user_project: text.optional(),
    credential_source: z.union([z.object({ file: text, format }), address]),
    quota_project_id: project,
  });
}
