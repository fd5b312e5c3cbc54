/** Checked by the compiler: which code belongs to which status and operation, for the contract, for those who throw errors, and for the client. */
import type { ServerInferResponses } from '@ts-rest/core';
import type { ErrorCodeOf, ErrorCodes } from '../../client/sdk/src/index.ts';
import type { AnyAdminCode } from '../../contract/admin/errors.ts';
import type { CodeOf, ErrorStatus, StatusOf } from '../../contract/errors.ts';
import type { Contract } from '../../contract/index.ts';
import type { OperationCode, OperationName, SharedCode } from '../../contract/operation-errors.ts';
import { type CallCode, type CallName, GatewayError, type KeyedName, type OperationError } from '../../server/primitives/errors.ts';

type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type AllTrue<T extends Record<string, true>> = T;
type AllFalse<T extends Record<string, false>> = T;

/** The body of a status, by the type of the contract. */
type BodyOf<Name extends OperationName, Status> = Extract<ServerInferResponses<Contract[Name]>, { status: Status }>['body'];
type CodeIn<Name extends OperationName, Status> = BodyOf<Name, Status> extends { error: { code: infer Code } } ? Code : never;

export type Read = AllTrue<{
  statusOfCode: Identical<StatusOf<'model_not_found'>, 404>;
  codesOfStatus: Identical<CodeOf<503>, 'upstream_unavailable' | 'overloaded' | 'no_upstream_available'>;
  oneCode: Identical<CodeIn<'createResponse', 404>, 'model_not_found'>;
  severalCodes: Identical<CodeIn<'createResponse', 503>, 'upstream_unavailable' | 'overloaded' | 'no_upstream_available'>;
  otherOperation: Identical<CodeIn<'getResponse', 404>, 'response_not_found'>;
  noStatus: Identical<Extract<ServerInferResponses<Contract['listModels']>, { status: 502 }>, never>;
  shared: Identical<SharedCode<OperationName> & CodeOf<503>, 'overloaded'>;
}>;

/** The types of the client say the same for every operation. */
export type InClient = AllTrue<{ [Name in OperationName]: Identical<ErrorCodeOf<Name>, OperationCode<Name>> }>;
export type ByStatus = AllTrue<{ [Status in ErrorStatus]: Identical<ErrorCodes[Status], CodeOf<Status>> }>;
export type Seen = AllFalse<{ otherCodes: Identical<ErrorCodeOf<'listModels'>, OperationCode<'getCatalog'>> }>;

export const raised: readonly [OperationError<CallName, 404>, OperationError<KeyedName, 401>] = [
  new GatewayError('model_not_found'),
  new GatewayError('invalid_api_key'),
];

// @ts-expect-error The list of models has no model that could be missing.
export const unnamed: OperationError<'listModels'> = new GatewayError('model_not_found');
// @ts-expect-error It answers with 404.
export const otherStatus: OperationError<CallName, 400> = new GatewayError('model_not_found');
// @ts-expect-error Of the operations that ask a model only this one stores anything.
export const notShared: OperationError<CallName, 403> = new GatewayError('storage_quota_exceeded');
// @ts-expect-error Nobody who asks a model asks for what is stored.
export const ofOthers = new GatewayError<CallCode>('response_not_found');
// @ts-expect-error The operators have no models that could be missing.
export const ofCallers = new GatewayError<AnyAdminCode>('model_not_found');
// @ts-expect-error No header of the contract is called so.
export const otherHeader = new GatewayError('overloaded', { headers: { 'retry-later': '1' } });
