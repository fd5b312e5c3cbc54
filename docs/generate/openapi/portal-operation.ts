/** Describes one operation of the portal's document: body, responses, and errors. */
import { z } from 'zod';
import { type ErrorStatus, errorCodes } from '../../../contract/errors.ts';
import { portalResponseHeaders } from '../../../contract/headers.ts';
import type { PortalMetadata } from '../../../contract/portal/answers.ts';
import { portalErrors } from '../../../contract/portal/errors.ts';
import { type PortalContract, portalContract } from '../../../contract/portal/index.ts';
import type { Components } from './components.ts';
import { errorAnswer, statusesOf } from './errors.ts';
import { answerHeaders } from './headers.ts';

type PortalOperationName = keyof PortalContract;
export const isPortalOperation = (name: string): name is PortalOperationName => Object.hasOwn(portalContract, name);

/** Codes that the portal API can return. */
export const portalErrorCodes = errorCodes.filter((code) =>
  Object.values(portalErrors)
    .flat()
    .some((named) => named === code),
);

const reasons: { readonly [Status in ErrorStatus]?: string } = {
  401: "The request isn't authenticated, the session has ended, or the sign-in failed.",
  403: "The key can't be used from this IP address, or the request comes from another page.",
};

const content = (type: string, schema: object) => ({ [type]: { schema } });
const json = (schema: object) => content('application/json', schema);
const typeOf = ({ answers }: PortalMetadata): string => answers ?? 'application/json';

export function describePortalOperation(name: PortalOperationName, components: Components) {
  const route = portalContract[name];
  const body = 'body' in route && route.body !== null ? route.body : undefined;
  const responses: Readonly<Record<number, z.ZodType>> = route.responses;
  const codes = portalErrors[name];
  const bad = statusesOf(codes).flatMap((status) => {
    const schema = responses[status];
    const headers = answerHeaders(portalResponseHeaders, status);
    return schema
      ? [[status, errorAnswer({ codes, status, schema: components.add(schema), headers, reason: reasons[status] })] as const]
      : [];
  });
  const good = {
    description: 'The response.',
    headers: answerHeaders(portalResponseHeaders, 200),
    content: content(typeOf(route.metadata), components.add(route.responses[200])),
  };
  return {
    tags: [route.metadata.tag],
    ...('isPublic' in route.metadata && { security: [] }),
    ...(body instanceof z.ZodType && { requestBody: { required: true, content: json(components.add(body)) } }),
    responses: { 200: good, ...Object.fromEntries(bad) },
  };
}
