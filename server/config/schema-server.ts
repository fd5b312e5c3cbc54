/** Schemas of the admin listener, pages, metrics, traces, load shedding, and the request log in the configuration file. */
import { z } from 'zod';
import { createBooleanSetting, createIntegerSetting, MEBIBYTE, MINUTE } from './schema-upstreams.ts';
import { HeaderName, HttpUrl, Issuer, isHttpsOrLoopback, Secret } from './values.ts';

const Claim = z.string().min(1).max(200);
/** The names of the contract's roles. */
const Role = z.enum(['viewer', 'billing', 'admin']);

const Oidc = z.strictObject({
  issuer: Issuer.meta({
    description:
      "URL of the identity provider, exactly as in the `issuer` of its discovery document. It must start with `https`, unless it's on this machine.",
    examples: ['https://login.example'],
  }),
  clientId: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Client ID of this gateway at the identity provider.', examples: ['modelgate'] }),
  clientSecret: Secret.meta({ description: 'Client secret.', examples: [`\${MODELGATE_OIDC_SECRET}`] }),
  scopes: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "isn't a valid scope name"),
    )
    .max(20)
    .default(['profile', 'email'])
    .meta({
      description: "Scopes to request in addition to `openid`. Some providers send a user's groups only if you request the scope `groups`.",
      examples: [['profile', 'email', 'groups']],
    }),
  roles: z
    .strictObject({
      claim: Claim.meta({
        description: "Claim of the ID token that holds the user's groups, as a string or a list. Use a dot for a nested claim.",
        examples: ['groups', 'realm_access.roles'],
      }),
      map: z
        .record(Claim, Role)
        .refine((map) => Object.keys(map).length > 0, 'must name at least one group')
        .meta({
          description:
            "Maps groups to roles. If a user is in several groups, the highest role applies. Users in none of these groups can't sign in.",
          examples: [{ 'gateway-admins': 'admin', finance: 'billing', everybody: 'viewer' }],
        }),
    })
    .meta({ description: "Roles of users. They're read at sign-in, so a change applies from the next sign-in, at most 8 hours later." }),
  label: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .default('single sign-on')
    .meta({ description: 'Text of the sign-in button after "Sign in with".', examples: ['Example Login'] }),
});

/** The provider redirects to this URL, and browsers keep the cookie only over TLS or on this machine. */
function findOidcFault(publicUrl: string | undefined): string | null {
  if (publicUrl === undefined) return 'is missing; admin.oidc requires the URL that operators open in a browser';
  return !URL.canParse(publicUrl) || isHttpsOrLoopback(publicUrl)
    ? null
    : "must start with https:// if admin.oidc is set, unless it's an address of this machine";
}

export const STANDARD_ADMIN_PORT = 8081;

const createHostSetting = (description: string) =>
  z
    .string()
    .min(1)
    .max(255)
    .default('127.0.0.1')
    .meta({ description, examples: ['127.0.0.1'] });

export const Admin = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the admin API is served.', examples: [true] }),
    host: createHostSetting('Address of the admin listener. Keep it on loopback or on a private network.'),
    port: createIntegerSetting(0, 65_535, STANDARD_ADMIN_PORT, 'Port of the admin listener. `0` selects a free port.'),
    publicUrl: HttpUrl.optional().meta({
      description:
        'URL that operators open in a browser, if a proxy that terminates TLS is in front. Without it, the console rejects sign-ins that come over a network.',
      examples: ['https://gateway-admin.example'],
    }),
    oidc: Oidc.optional().meta({
      description:
        'Single sign-on for the console with OpenID Connect, in addition to admin keys. Requires `publicUrl`. Omit to allow admin keys only.',
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
    const fault = admin.oidc && findOidcFault(admin.publicUrl);
    if (fault) context.addIssue({ code: 'custom', path: ['publicUrl'], message: fault });
  });

export const Pages = z.strictObject({
  console: createBooleanSetting(
    true,
    'Whether the admin listener serves the console at `/console/`, where operators sign in with a browser.',
  ),
  portal: createBooleanSetting(true, 'Whether the gateway serves the portal at `/portal/`, where key owners sign in with a browser.'),
  issuer: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description: 'Your name and address, as the issuer on monthly statements.',
      examples: ['Example Ltd, 1 Main Street, Springfield'],
    }),
});

export const Metrics = z
  .strictObject({
    enabled: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether `GET /metrics` is served to Prometheus on a separate listener. Defaults to `true` if `host` or `port` of the metrics is set, and to `false` otherwise.',
        examples: [true],
      }),
    host: createHostSetting("Address of the metrics listener. It doesn't require a key, so keep it on loopback or on a private network."),
    port: createIntegerSetting(0, 65_535, 9464, 'Port of the metrics listener. `0` selects a free port.'),
    accounts: createBooleanSetting(
      false,
      'Whether the metric `modelgate.account.cost` breaks down charges by account ID. Also applies to metrics that are pushed.',
    ),
  })
  .prefault({})
  .meta({
    description:
      'Metrics for Prometheus. If OTEL_EXPORTER_OTLP_ENDPOINT is set, the same metrics are also pushed, regardless of these settings.',
  });

export const Traces = z
  .strictObject({
    toUpstreams: createBooleanSetting(
      false,
      'Whether requests to upstreams contain a `traceparent` header, so that their operators can link their traces to yours.',
    ),
  })
  .prefault({})
  .meta({ description: 'Traces. Set OTEL_EXPORTER_OTLP_ENDPOINT to turn them on.' });

const createMebibytesSetting = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .max(16 * MEBIBYTE)
    .optional()
    .meta({ description, examples: [example] });

export const Overload = z.strictObject({
  loopDelayMs: createIntegerSetting(
    0,
    MINUTE,
    500,
    'Event loop delay in milliseconds, smoothed over a few hundred milliseconds, above which new requests return 503. Set `0` for no limit.',
  ),
  memoryMiB: createMebibytesSetting(
    'Memory of the process in MiB above which new requests return 503. Defaults to three quarters of the memory of its container or machine, or to about its heap limit if that is lower. Set `0` for no limit.',
    1_500,
  ),
  bodiesMiB: createMebibytesSetting(
    'Memory limit in MiB for the bodies of requests in flight. Calls above it return 503. Defaults to a quarter of the memory of the process, but at least enough for one body of the maximum size. Set `0` for no limit.',
    1_024,
  ),
  bodiesPerKeyMiB: createMebibytesSetting(
    "Memory limit in MiB for the bodies of one key's requests. Calls above it return 429. Defaults to a quarter of `bodiesMiB`. Set `0` for no limit.",
    256,
  ),
});

const credentialHeaders: readonly string[] = ['cookie', 'proxy-authorization', 'x-api-key', 'api-key'];

export const ActivitySettings = z
  .strictObject({
    days: createIntegerSetting(
      0,
      3650,
      30,
      'How many days the row of each call is kept, at about 700 bytes per row. Hourly and daily totals are kept permanently, and those by end user and tag for 93 days. Set `0` to write neither rows nor totals.',
    ),
    tagHeader: HeaderName.refine((name) => !credentialHeaders.includes(name.toLowerCase()), "can't be a header with a credential")
      .optional()
      .meta({
        description:
          "Request header whose value is stored as the call's tag, such as the name of an app or a team. Activity is grouped by it. Omit to store no tags.",
        examples: ['x-app'],
      }),
  })
  .prefault({})
  .meta({ description: 'The request log, which `modelgate usage` and `modelgate explain --request` read.' });

export const UnknownCallers = z
  .strictObject({
    days: createIntegerSetting(1, 365, 7, 'How many days these requests are kept.'),
    maxRows: createIntegerSetting(
      0,
      1_000_000,
      50_000,
      'Maximum number of rows to keep, newest first, at about 400 bytes each. Set `0` to keep none.',
    ),
    addresses: createBooleanSetting(
      false,
      "Whether the sender's IP address is kept with each row, for the same time. Check the law that applies to you.",
    ),
  })
  .prefault({})
  .meta({ description: 'How the request log keeps calls with an unknown key. Anyone can send them, so they have separate limits.' });
