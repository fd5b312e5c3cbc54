/** Schemas of an upstream's `auth`: none, bearer, header, AWS Signature Version 4, Google, and Entra. */
import { z } from 'zod';
import { HeaderName, HttpUrl, Secret, secretMeta } from './values.ts';

const Id = (examples: [string], description: string) =>
  z
    .string()
    .max(200)
    .regex(/^[\w.:/=+@-]+$/, 'must consist of letters, digits, and . _ : / = + @ -')
    .optional()
    .meta({ description, examples });

const FilePath = z.string().min(1).max(4096);

const None = z.strictObject({ type: z.literal('none').meta({ description: 'Requests are sent without credentials.' }) });

const Bearer = z.strictObject({
  type: z.literal('bearer').meta({ description: 'Requests send `apiKey` or one of `apiKeys` as `authorization: Bearer`.' }),
});

const Header = z.strictObject({
  type: z.literal('header').meta({ description: 'Requests send `apiKey` or one of `apiKeys` in a custom header.' }),
  name: HeaderName.meta({ description: 'Name of the header.', examples: ['api-key'] }),
});

const Sigv4 = z.strictObject({
  type: z.literal('sigv4').meta({ description: 'Requests are signed with AWS credentials.' }),
  region: Id(['eu-central-1'], 'Region to sign for. Defaults to `aws.region`.'),
  service: Id(['bedrock'], 'Service to sign for. Defaults to the service of `aws.endpoint`.'),
  accessKeyId: Secret.optional().meta({
    description: 'Access key ID, with `secretAccessKey`. Omit both to use `profile` or the credentials of the machine.',
    examples: [`\${AWS_ACCESS_KEY_ID}`],
  }),
  secretAccessKey: Secret.optional().meta({ description: 'Secret access key of `accessKeyId`.', examples: [`\${AWS_SECRET_ACCESS_KEY}`] }),
  sessionToken: Secret.optional().meta({ description: 'Session token of temporary credentials.', examples: [`\${AWS_SESSION_TOKEN}`] }),
  profile: Id(['models'], "Profile in AWS's shared configuration files, instead of keys."),
});

const Google = z.strictObject({
  type: z.literal('google').meta({ description: 'Requests send a Google access token, which the gateway fetches and renews.' }),
  credentials: z
    .string()
    .min(1)
    .max(32_768)
    .optional()
    .meta({
      ...secretMeta,
      description: 'Path of a key file, or its JSON. Defaults to the application default credentials of the machine.',
      examples: ['/run/secrets/google.json'],
    }),
  scopes: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .default(['https://www.googleapis.com/auth/cloud-platform'])
    .meta({ description: 'Scopes of the token.' }),
});

const Entra = z.strictObject({
  type: z.literal('entra').meta({ description: 'Requests send a Microsoft Entra access token, which the gateway fetches and renews.' }),
  tenantId: Id([`\${AZURE_TENANT_ID}`], 'Tenant ID, with `clientSecret` or `federatedTokenFile`.'),
  clientId: Id([`\${AZURE_CLIENT_ID}`], 'Client ID of the application, or of the user-assigned identity with `managedIdentity`.'),
  clientSecret: Secret.optional().meta({ description: 'Client secret of the application.', examples: [`\${AZURE_CLIENT_SECRET}`] }),
  federatedTokenFile: FilePath.optional().meta({
    description: "Path of a workload identity's token file. It's read again for each access token.",
    examples: [`\${AZURE_FEDERATED_TOKEN_FILE}`],
  }),
  managedIdentity: z
    .literal(true)
    .optional()
    .meta({
      description: 'Whether to use the managed identity of this machine (Azure VMs, App Service, and Container Apps).',
      examples: [true],
    }),
  scope: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]+\/\.default$/, 'must end in /.default')
    .default('https://ai.azure.com/.default')
    .meta({
      description: 'Scope of the token. Older resources need `https://cognitiveservices.azure.com/.default`.',
      examples: ['https://cognitiveservices.azure.com/.default'],
    }),
  authority: HttpUrl.default('https://login.microsoftonline.com').meta({
    description: 'URL of the authority that issues tokens. It differs in sovereign clouds.',
    examples: ['https://login.microsoftonline.us'],
  }),
});

export const Auth = z.discriminatedUnion('type', [None, Bearer, Header, Sigv4, Google, Entra]);

export type AuthSettings = z.output<typeof Auth>;

export type AuthByType<Type extends AuthSettings['type']> = Extract<AuthSettings, { type: Type }>;
