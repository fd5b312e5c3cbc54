/** The admin API: a separate router under `/admin/v1`, with the same error body and error table as the caller API. */
import { initContract } from '@ts-rest/core';
import { createErrorResponses, type ErrorResponses } from '../shared/error-bodies.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { alertRoutes } from './alerts.ts';
import { configurationRoutes } from './configuration.ts';
import { type AdminCode, type AdminOperation, adminErrors } from './errors.ts';
import { explanationRoutes } from './explanations.ts';
import { keyRoutes } from './keys.ts';
import { limitRoutes } from './limits.ts';
import type { AdminMetadata } from './metadata.ts';
import { modelRoutes } from './models.ts';
import { moneyRoutes } from './money.ts';
import { operatorRoutes } from './operators.ts';
import { overviewRoutes } from './overview.ts';
import { requestRoutes } from './requests.ts';
import { type AdminRole, adminRoles } from './roles.ts';
import { ruleRoutes } from './rules.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './session.ts';
import { upstreamRoutes } from './upstreams.ts';
import { usageRoutes } from './usage.ts';

interface AnnotatedRoute {
  readonly metadata: AdminMetadata;
  readonly responses: object;
}
/** Adds the role and the error responses to each route. Responses that the route declares itself take precedence. */
type WithErrors<Routes extends Readonly<Record<AdminOperation, AnnotatedRoute>>> = {
  readonly [Name in AdminOperation]: Omit<Routes[Name], 'responses' | 'metadata'> & {
    readonly metadata: Routes[Name]['metadata'] & { readonly role: AdminRole };
    readonly responses: Routes[Name]['responses'] & Omit<ErrorResponses<AdminCode<Name>>, keyof Routes[Name]['responses']>;
  };
};

function withErrors<const Routes extends Readonly<Record<AdminOperation, AnnotatedRoute>>>(routes: Routes): WithErrors<Routes> {
  // `as`: the keys are exactly the operation names.
  const names = Object.keys(adminErrors) as AdminOperation[];
  const entries = names.map((name) => {
    const responses = { ...createErrorResponses(`admin_${name}`, adminErrors[name]), ...routes[name].responses };
    const metadata = { ...routes[name].metadata, role: adminRoles[name] };
    return [name, { ...routes[name], metadata, responses }] as const;
  });
  // `as`: the entries have all names and the declared types.
  return Object.fromEntries(entries) as unknown as WithErrors<Routes>;
}

export const adminContract = initContract().router(
  withErrors({
    ...accountRoutes,
    ...keyRoutes,
    ...moneyRoutes,
    ...ruleRoutes,
    ...modelRoutes,
    ...usageRoutes,
    ...operatorRoutes,
    ...explanationRoutes,
    ...requestRoutes,
    ...activityRoutes,
    ...overviewRoutes,
    ...alertRoutes,
    ...upstreamRoutes,
    ...configurationRoutes,
    ...limitRoutes,
    ...searchRoutes,
    ...sessionRoutes,
  }),
  { pathPrefix: '/admin/v1', strictStatusCodes: true },
);
export type AdminContract = typeof adminContract;
