/** Describes one operation of the admin document: body, responses, errors, and a curl sample. */
import { z } from 'zod';
import { adminErrors } from '../../../contract/admin/errors.ts';
import { type AdminContract, adminContract } from '../../../contract/admin/index.ts';
import type { AdminMetadata } from '../../../contract/admin/metadata.ts';
import { adminRoles } from '../../../contract/admin/roles.ts';
import { type ErrorStatus, errorCodes } from '../../../contract/errors.ts';
import { adminResponseHeaders } from '../../../contract/headers.ts';
import type { Components } from './components.ts';
import { errorAnswer, statusesOf } from './errors.ts';
import { answerHeaders } from './headers.ts';

export type AdminOperationName = keyof AdminContract;
export const isAdminOperation = (name: string): name is AdminOperationName => Object.hasOwn(adminContract, name);

/** Codes that the admin API can return. The other codes are about models, images, and upstreams. */
export const adminErrorCodes = errorCodes.filter((code) =>
  Object.values(adminErrors)
    .flat()
    .some((named) => named === code),
);

const reasons: { readonly [Status in ErrorStatus]?: string } = {
  401: 'The admin key is missing, mistyped, or revoked.',
  404: "The object or the URL doesn't exist.",
  409: 'The request conflicts with the current state.',
};

const reasonOf = (name: AdminOperationName, status: ErrorStatus): string | undefined =>
  status === 403 ? `The admin key's role is lower than \`${adminRoles[name]}\`.` : reasons[status];

interface Parts {
  readonly name: AdminOperationName;
  readonly components: Components;
  readonly base: string;
}

const bodyOf = (name: AdminOperationName): z.ZodType | undefined => {
  const route = adminContract[name];
  return 'body' in route && route.body !== null ? route.body : undefined;
};

export function describeAdminOperation({ name, components, base }: Parts) {
  const route = adminContract[name];
  const body = bodyOf(name);
  const good = {
    description: 'The response.',
    headers: answerHeaders(adminResponseHeaders, 200),
    content: { [typeOf(route.metadata)]: { schema: components.add(route.responses[200]) } },
  };
  const responses: Readonly<Record<number, z.ZodType>> = route.responses;
  const codes = adminErrors[name];
  const bad = statusesOf(codes).flatMap((status) => {
    const schema = responses[status];
    const [headers, reason] = [answerHeaders(adminResponseHeaders, status), reasonOf(name, status)];
    return schema ? [[status, errorAnswer({ codes, status, schema: components.add(schema), headers, reason })]] : [];
  });
  return {
    tags: [route.metadata.tag],
    ...('isPublic' in route.metadata && { security: [] }),
    ...('keyIsOptional' in route.metadata && { security: [{}, { adminKey: [] }] }),
    ...(body && { requestBody: { required: true, content: json(components.add(body)) } }),
    responses: { 200: good, ...Object.fromEntries(bad) },
    'x-required-role': route.metadata.role,
    'x-codeSamples': [{ lang: 'shell', label: 'curl', source: curlSample(name, base) }],
  };
}

const typeOf = ({ answers }: AdminMetadata): string => answers ?? 'application/json';
const json = (schema: object) => ({ 'application/json': { schema } });

/** Returns the first example of the body's schema. */
export function exampleBody(name: AdminOperationName): unknown {
  const body = bodyOf(name);
  const examples: unknown = body && z.globalRegistry.get(body)?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}

const sampleIds: Readonly<Record<string, string>> = {
  account_id: 'research',
  key_id: 'key_0aB3dE5gH7jK9mN1p',
  subscription_id: 'sub_6f1d2c3b4a5948378695a4b3c2d1e0f9',
  request_id: 'req_1aff280100214a538edcd9deebd45cab',
  upstream: 'openai',
  channel: 'ops',
  alert_id: 'alert_019c2f6b1f40a1b2c3d4e5f6',
};

/** Query strings for operations with a required parameter. */
const sampleQueries: { readonly [Name in AdminOperationName]?: string } = {
  search: 'q=research',
  getConfigText: 'section=models&name=gpt-5.4',
};

/** Writes a command that works unchanged with the environment variable set and your own IDs. */
export function curlSample(name: AdminOperationName, base: string): string {
  const { method, path, metadata } = adminContract[name];
  const place = `${base}${path.replaceAll(/:(\w+)/g, (_, param: string) => sampleIds[param] ?? param)}`;
  const query = sampleQueries[name];
  const url = query === undefined ? place : `'${place}?${query}'`;
  const example = exampleBody(name);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    ...('isPublic' in metadata ? [] : ['-H "Authorization: Bearer $MODELGATE_ADMIN_KEY"']),
    ...(example === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]),
  ].join(' \\\n  ');
}
