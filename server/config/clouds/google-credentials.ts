/** Reads Google credentials: service accounts, user credentials, and workload identity federation. */
import { z } from 'zod';
import { isHttpsOrLoopback } from '../values.ts';

/** Whether the configured `credentials` are JSON, not the path of a file. */
export const isJson = (credentials: string): boolean => credentials.trimStart().startsWith('{');

/** Returns the credentials, or a message that says what's wrong. It names fields but contains no values. */
export function readGoogleCredentials(text: string): GoogleCredentials | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    return "isn't valid JSON";
  }
  credentialsSchema ??= createCredentialsSchema();
  const { success, data, error } = credentialsSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  if (field === 'type') return "has a credential type that isn't supported";
  if (field.startsWith('credential_source')) return "has a credential_source that isn't supported; it must be a file or a url";
  return field === '' ? "isn't a Google credential" : `has a missing or invalid ${field}`;
}

export type GoogleCredentials = z.output<ReturnType<typeof createCredentialsSchema>>;

export type GoogleCredentialsByType<Type extends GoogleCredentials['type']> = Extract<GoogleCredentials, { type: Type }>;

/** Built when the first credentials are read, so that a gateway without Google doesn't pay for it. */
let credentialsSchema: ReturnType<typeof createCredentialsSchema> | undefined;

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

function createFieldSchemas() {
  const text = z.string().min(1);
  // Secrets are sent to these URLs.
  const endpoint = z.url().refine(isHttpsOrLoopback, 'must start with https://');
  const project = z
    .string()
    .regex(/^[\w.:-]+$/)
    .optional();
  return { text, endpoint, project };
}

function createCredentialsSchema() {
  const { text, endpoint, project } = createFieldSchemas();
  const account = z.object({
    type: z.literal('service_account'),
    client_email: text,
    private_key: text,
    private_key_id: text.optional(),
    token_uri: endpoint.default(TOKEN_URL),
    quota_project_id: project,
  });
  const user = z.object({
    type: z.literal('authorized_user'),
    client_id: text,
    client_secret: text,
    refresh_token: text,
    token_uri: endpoint.default(TOKEN_URL),
    quota_project_id: project,
  });
  const impersonated = z.object({
    type: z.literal('impersonated_service_account'),
    service_account_impersonation_url: endpoint,
    delegates: z.array(text).optional(),
    source_credentials: z.discriminatedUnion('type', [account, user]),
    quota_project_id: project,
  });
  return z.discriminatedUnion('type', [account, user, impersonated, createFederationSchema()]);
}

function createFederationSchema() {
  const { text, endpoint, project } = createFieldSchemas();
  const format = z.object({ type: z.enum(['text', 'json']).default('text'), subject_token_field_name: text.optional() }).prefault({});
  // The platform's metadata server, which some machines serve over plain HTTP. With `environment_id`, it's the metadata
  // server of AWS, which requires signed requests.
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
