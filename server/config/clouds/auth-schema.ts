/** `auth` of an upstream: how its requests prove whose they are. */
import { z } from 'zod';
import { HeaderName, HttpUrl, Secret, secret } from '../values.ts';

const Id = (examples: [string], description: string) =>
  z
    .string()
    .max(200)
    .regex(/^[\w.:/=+@-]+$/, 'must have letters, digits and . _ : / = + @ - only')
    .optional()
    .meta({ description, examples });
const FilePath = z.string().min(1).max(4096);

const None = z.strictObject({ type: z.literal('none').meta({ description: 'Requests have no credential.' }) });

const Bearer = z.strictObject({ type: z.literal('bearer').meta({ description: '`authorization: Bearer`, with `apiKey` or `apiKeys`.' }) });

const Header = z.strictObject({
  type: z.literal('header').meta({ description: 'A header of its own, with `apiKey` or `apiKeys`.' }),
  name: HeaderName.meta({ description: 'The header that holds the key.', examples: ['api-key'] }),
});

const Sigv4 = z.strictObject({
  type: z.literal('sigv4').meta({ description: 'Requests are signed with credentials of AWS.' }),
  region: Id(['eu-central-1'], 'The Region to sign for. Default: `aws.region`.'),
  service: Id(['bedrock'], 'The service to sign for. Default: that of `aws.endpoint`.'),
  accessKeyId: Secret.optional().meta({
    description: 'With `secretAccessKey`; without both: `profile`, or the credentials that the machine offers.',
    examples: [`\${AWS_ACCESS_KEY_ID}`],
  }),
  secretAccessKey: Secret.optional().meta({ description: 'The secret of `accessKeyId`.', examples: [`\${AWS_SECRET_ACCESS_KEY}`] }),
  sessionToken: Secret.optional().meta({ description: 'Of temporary credentials.', examples: [`\${AWS_SESSION_TOKEN}`] }),
  profile: Id(['models'], "A profile of AWS's shared files, instead of keys."),
});

const Google = z.strictObject({
  type: z.literal('google').meta({ description: 'Access tokens of Google, fetched and renewed by the gateway.' }),
  credentials: z
    .string()
    .min(1)
    .max(32_768)
    .optional()
    .meta({
      ...secret,
      description: 'The path of a key file, or its JSON. Default: the application default credentials of the machine.',
      examples: ['/run/secrets/google.json'],
    }),
  scopes: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .default(['https://www.googleapis.com/auth/cloud-platform'])
    .meta({ description: 'The scopes of the token.' }),
});

const Entra = z.strictObject({
  type: z.literal('entra').meta({ description: 'Access tokens of Microsoft Entra, fetched and renewed by the gateway.' }),
  tenantId: Id([`\${AZURE_TENANT_ID}`], 'The tenant; with `clientSecret` or `federatedTokenFile`.'),
  clientId: Id([`\${AZURE_CLIENT_ID}`], 'The application, or the user-assigned identity of `managedIdentity`.'),
  clientSecret: Secret.optional().meta({ description: 'A secret of the application.', examples: [`\${AZURE_CLIENT_SECRET}`] }),
  federatedTokenFile: FilePath.optional().meta({
    description: 'A file with the token of a workload identity; read anew for each access token.',
    examples: [`\${AZURE_FEDERATED_TOKEN_FILE}`],
  }),
  managedIdentity: z
    .literal(true)
    .optional()
    .meta({ description: 'The identity of this machine, of Azure VMs, App Service and Container Apps.', examples: [true] }),
  scope: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]+\/\.default$/, 'must end in /.default')
    .default('https://ai.azure.com/.default')
    .meta({
      description: 'What the token is for; older resources want `https://cognitiveservices.azure.com/.default`.',
      examples: ['https://cognitiveservices.azure.com/.default'],
    }),
  authority: HttpUrl.default('https://login.microsoftonline.com').meta({
    description: 'Where tokens are issued; other clouds have other addresses.',
    examples: ['https://login.microsoftonline.us'],
  }),
});

export const Auth = z.discriminatedUnion('type', [None, Bearer, Header, Sigv4, Google, Entra]);
export type AuthSettings = z.output<typeof Auth>;
export type AuthOf<Type extends AuthSettings['type']> = Extract<AuthSettings, { type: Type }>;
