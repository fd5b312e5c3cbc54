/** Console sessions: an operator signs in with an admin key or a setup token, and then uses a cookie instead of a key. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { createListSchema, Id, PageQuery, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { adminRoleNames } from './roles.ts';

const secret = z.string().min(1).max(200);
const keySignIn = z
  .strictObject({ admin_key: secret.describe('An admin key, `mga-…`.') })
  .meta({ id: 'KeySignIn', description: 'Signs in with an admin key.' });
const tokenSignIn = z
  .strictObject({ setup_token: secret.describe('The token of a setup link. It works once, within 15 minutes.') })
  .meta({ id: 'SetupSignIn', description: 'Signs in with the setup link printed on first start.' });
export const SignIn = z.union([keySignIn, tokenSignIn]).meta({
  id: 'SignIn',
  description: 'Either an admin key, or the token of a setup link.',
  examples: [{ admin_key: 'mga-0aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK2' }],
});
export type SignIn = z.infer<typeof SignIn>;

const sessionShape = {
  id: z.string().describe("The ID of the session, `sess_…`. It isn't a secret."),
  object: createTypeField('session'),
  actor: z
    .string()
    .describe(
      'The ID of the admin key that was used to sign in, or `oidc:` followed by the subject of an operator who used single sign-on.',
    ),
  name: z.string().describe('The name of that key or operator.'),
  address: z.string().nullable().describe('The IP address at sign-in. Null if unknown, or if an earlier version created the session.'),
  browser: z
    .string()
    .nullable()
    .describe(
      'The browser and operating system at sign-in, or the name of another program. Null if it sent no user agent, or if an earlier version created the session.',
    ),
  created_at: Time.describe('When the session was created.'),
  expires_at: Time.describe(
    'When the session ends: 8 hours after sign-in. It ends earlier after an hour of inactivity, or when its key stops working.',
  ),
};
export const Session = z.object(sessionShape).meta({ id: 'Session', description: 'A console session. Its secret is only in the cookie.' });
export type Session = z.infer<typeof Session>;
export const SessionList = createListSchema('SessionList', 'A list of active console sessions, oldest first.', Session);

export const Caller = z
  .object({
    object: createTypeField('caller'),
    actor: z
      .string()
      .nullable()
      .describe(
        "The ID of the admin key, or `oidc:` followed by the subject of an operator who used single sign-on, as in the audit log. Null if the request isn't authenticated.",
      ),
    name: z.string().nullable().describe('The name of that key or operator. Null for the command line on the data folder.'),
    role: z
      .enum(adminRoleNames)
      .nullable()
      .describe("The role of the operator. Operations that require a higher role return 403. Null if the request isn't authenticated."),
    session: Session.nullable().describe('The session of the request. Null if the request was made with an admin key.'),
    sign_in: z
      .object({
        oidc: z
          .string()
          .nullable()
          .describe(
            "The label of the button for single sign-on, which leads to `/console/sign-in/oidc`. Null if `admin.oidc` isn't configured.",
          ),
      })
      .describe('The ways to sign in besides admin keys.'),
  })
  .meta({ id: 'Caller', description: 'The caller of this API.' });
export type Caller = z.infer<typeof Caller>;

export const EndedSession = z
  .object({
    object: createTypeField('ended_session'),
    id: z.string().nullable().describe('The ID of the session that ended. Null if there was none.'),
  })
  .meta({ id: 'EndedSession', description: 'A session that has ended.' });

const SessionPathParams = z.object({ session_id: Id.describe('The ID of the session, `sess_…`.') });
const metadata = { tag: 'Operators' } as const satisfies AdminMetadata;

export const sessionRoutes = {
  createSession: {
    method: 'POST',
    path: '/session',
    body: SignIn,
    responses: { 200: Session },
    summary: 'Sign in',
    description:
      'Signs in a browser. The response sets the cookie `__Host-modelgate-console`, which replaces the admin key in later calls. Calls with the cookie other than GET must also have the header `x-modelgate-console: 1` and, if they have a body, the content type `application/json`. They must come from a page of the console. If other machines can reach the listener, `admin.publicUrl` must be set. After ten failed sign-ins from one address within a minute, the API returns 429.',
    metadata: { tag: 'Operators', isPublic: true } as const satisfies AdminMetadata,
  },
  getSession: {
    method: 'GET',
    path: '/session',
    responses: { 200: Caller },
    summary: 'Get the session',
    description:
      'Returns the operator and role of the request, made with a session or an admin key. Without either, or after the session has ended, `actor` is null and `sign_in` has the ways to sign in. A wrong admin key returns 401.',
    metadata: { tag: 'Operators', keyIsOptional: true } as const satisfies AdminMetadata,
  },
  endSession: {
    method: 'DELETE',
    path: '/session',
    body: null,
    responses: { 200: EndedSession },
    summary: 'Sign out',
    description: 'Ends the session of the request and deletes its cookie. A request with an admin key ends nothing.',
    metadata,
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    query: PageQuery,
    responses: { 200: SessionList },
    summary: 'List sessions',
    description: 'Lists the active console sessions of all operators.',
    metadata,
  },
  revokeSession: {
    method: 'POST',
    path: '/sessions/:session_id/revoke',
    pathParams: SessionPathParams,
    body: null,
    responses: { 200: EndedSession },
    summary: 'Revoke a session',
    description: 'Ends a console session. Its next request returns 401.',
    metadata,
  },
} as const;
