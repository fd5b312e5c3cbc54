/** The JSON of Google's credentials: key files, and what `gcloud` and workload identity federation write. */
import { z } from 'zod';
import { isPrivate } from '../values.ts';

/** Secrets are sent there. */
const Endpoint = z.url().refine(isPrivate, 'must start with https://');
const TOKENS = 'https://oauth2.googleapis.com/token';
const Text = z.string().min(1);
const quota_project_id = z
  .string()
  .regex(/^[\w.:-]+$/)
  .optional();

const ServiceAccount = z.object({
  type: z.literal('service_account'),
  client_email: Text,
  private_key: Text,
  private_key_id: Text.optional(),
  project_id: Text.optional(),
  token_uri: Endpoint.default(TOKENS),
  quota_project_id,
});

const User = z.object({
  type: z.literal('authorized_user'),
  client_id: Text,
  client_secret: Text,
  refresh_token: Text,
  token_uri: Endpoint.default(TOKENS),
  quota_project_id,
});

const Format = z.object({ type: z.enum(['text', 'json']).default('text'), subject_token_field_name: Text.optional() }).prefault({});

const Federation = z.object({
  type: z.literal('external_account'),
  audience: Text,
  subject_token_type: Text,
  token_url: Endpoint,
  service_account_impersonation_url: Endpoint.optional(),
  service_account_impersonation: z.object({ token_lifetime_seconds: z.int().min(600).max(43_200).optional() }).optional(),
  workforce_pool_user_project: Text.optional(),
  credential_source: z.union([
    z.object({ file: Text, format: Format }),
    // The platform's own address, plain http inside of some machines. With `environment_id` it is AWS's, whose requests are signed.
    z.object({
      url: z.url(),
      headers: z.record(z.string(), z.string()).default({}),
      format: Format,
      environment_id: z.undefined().optional(),
    }),
  ]),
  quota_project_id,
});

const Impersonated = z.object({
  type: z.literal('impersonated_service_account'),
  service_account_impersonation_url: Endpoint,
  delegates: z.array(Text).optional(),
  source_credentials: z.discriminatedUnion('type', [ServiceAccount, User]),
  quota_project_id,
});

const Credentials = z.discriminatedUnion('type', [ServiceAccount, User, Federation, Impersonated]);
export type GoogleCredentials = z.output<typeof Credentials>;
export type GoogleCredentialsOf<Type extends GoogleCredentials['type']> = Extract<GoogleCredentials, { type: Type }>;

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
  const { success, data, error } = Credentials.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  if (field === 'type') return 'has a type of credentials that is not supported';
  if (field.startsWith('credential_source')) return 'has a credential_source that is not supported: it must be a file or a url';
  return field === '' ? 'is no credentials of Google' : `has no valid ${field}`;
}
