/** The keys of the configuration for single sign-on of operators (OpenID Connect). */
import { z } from 'zod';
import { Issuer, isPrivate, Secret } from './values.ts';

const Claim = z.string().min(1).max(200);
/** The names of the contract's roles. */
const Role = z.enum(['viewer', 'billing', 'admin']);

export const Oidc = z.strictObject({
  issuer: Issuer.meta({
    description: 'The identity provider, exactly as its discovery document names it in `issuer`. An `http` address only on this machine.',
    examples: ['https://login.example'],
  }),
  clientId: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'The id under which the provider knows this gateway.', examples: ['modelgate'] }),
  clientSecret: Secret.meta({ description: 'The secret of that client.', examples: [`\${MODELGATE_OIDC_SECRET}`] }),
  scopes: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'is not the name of a scope'),
    )
    .max(20)
    .default(['profile', 'email'])
    .meta({
      description: 'What is asked of the provider beside `openid`; some tell the groups of a person only for a scope `groups`.',
      examples: [['profile', 'email', 'groups']],
    }),
  roles: z
    .strictObject({
      claim: Claim.meta({
        description: 'The claim of the ID token with the groups of a person: a text or a list. A dot leads into an object.',
        examples: ['groups', 'realm_access.roles'],
      }),
      map: z
        .record(Claim, Role)
        .refine((map) => Object.keys(map).length > 0, 'must name at least one group')
        .meta({
          description: 'Group → role. Of several the highest counts; who is in none of them does not get in.',
          examples: [{ 'gateway-admins': 'admin', finance: 'billing', everybody: 'viewer' }],
        }),
    })
    .meta({ description: 'Who may do what. It is read at the sign-in: a change counts from the next one on, within 8 hours.' }),
  label: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .default('single sign-on')
    .meta({ description: 'What the button says after "Sign in with".', examples: ['Example Login'] }),
});

/** The callback has an address that the provider knows, and its cookie is kept over TLS or on this machine alone. */
export function oidcFault(publicUrl: string | undefined): string | null {
  if (publicUrl === undefined) return 'is missing: admin.oidc needs the address that operators open in a browser';
  return !URL.canParse(publicUrl) || isPrivate(publicUrl)
    ? null
    : 'must start with https:// while admin.oidc is set, except for an address of this machine';
}
