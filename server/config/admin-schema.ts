/** The keys of the configuration for operators: the admin listener, and the pages of both listeners. */
import { z } from 'zod';
import { STANDARD_ADMIN_PORT } from './admin-port.ts';
import { whole } from './bounds.ts';
import { Oidc, oidcFault } from './oidc-schema.ts';
import { HttpUrl } from './values.ts';

export const Admin = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the admin API listens at all.', examples: [true] }),
    host: z
      .string()
      .min(1)
      .max(255)
      .default('127.0.0.1')
      .meta({
        description: 'Address of the admin listener. Keep it on loopback or on a private network.',
        examples: ['127.0.0.1'],
      }),
    port: whole({ from: 0, to: 65_535, standard: STANDARD_ADMIN_PORT }, 'Port of the admin API; 0 takes any free one.'),
    publicUrl: HttpUrl.optional().meta({
      description:
        'Address that operators open in a browser, when a proxy with TLS is in front. Left out: sign-in at the console is refused on connections that come over a network.',
      examples: ['https://gateway-admin.example'],
    }),
    oidc: Oidc.optional().meta({
      description:
        'Single sign-on of operators at the console, by OpenID Connect, beside admin keys. Needs `publicUrl`. Left out: there are admin keys alone.',
      examples: [
        {
          issuer: 'https://login.example',
          clientId: 'modelgate',
          clientSecret: `\${MODELGATE_OIDC_SECRET}`,
          roles: { claim: 'groups', map: { 'gateway-admins': 'admin' } },
        },
      ],
    }),
  })
  .superRefine((admin, context) => {
    const fault = admin.oidc && oidcFault(admin.publicUrl);
    if (fault) context.addIssue({ code: 'custom', path: ['publicUrl'], message: fault });
  });

export const Pages = z.strictObject({
  console: z
    .boolean()
    .default(true)
    .meta({
      description: 'Whether the admin listener serves the console at `/console/`, and operators can sign in with a browser.',
      examples: [false],
    }),
  portal: z
    .boolean()
    .default(true)
    .meta({
      description: 'Whether the gateway serves the portal at `/portal/`, and holders of keys can sign in with a browser.',
      examples: [false],
    }),
});
