/** Compares answers of a gateway under test with the contract: each error code and each header must be named for the operation. */
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import { listHeaders, operationHeaders, type ResponseHeader, responseHeaders } from '../../contract/headers.ts';
import { contract } from '../../contract/index.ts';
import { addressErrors, type OperationName, operationErrors } from '../../contract/operation-errors.ts';
import type { RequestLog } from '../../server/records/request-log.ts';

// The names of an object are those of its type.
const names = Object.keys(contract) as OperationName[];
const isCode = (value: unknown): value is ErrorCode => errorCodes.some((code) => code === value);
const methodOf = (method: unknown) => (method === 'HEAD' ? 'GET' : method);

/** Whether the contract covers the route. It does not cover pages and health checks. `unknown` stands for an address without a route. */
const isInContract = (route: string): boolean => route === 'unknown' || route === '/catalog' || route.startsWith('/v1/');

/** The log line of a request. */
type Line = Readonly<Record<string, unknown>>;

/** The (operation, code) pairs in the lines that the contract does not name. `isOrdered`: whether the caller told the simulator to fail. */
export function unnamedIn(lines: readonly Line[], isOrdered: (line: Line) => boolean): string[] {
  return lines.flatMap((line) => {
    const { msg, code, route } = line;
    if (msg !== 'request' || !isCode(code) || !isInContract(String(route)) || isOrdered(line)) return [];
    const name = names.find((one) => contract[one].path === line.route && contract[one].method === methodOf(line.method));
    // An address with an empty id belongs to no operation, although it matches a route.
    const codes: readonly ErrorCode[] = name && code !== 'unknown_url' ? operationErrors[name] : addressErrors;
    return codes.includes(code) ? [] : [`${name ?? `${line.method} ${line.route}`} answered ${code}`];
  });
}

const ORDERED = /^The built-in simulator was asked to fail with status (\d+)\.$/;

/** Watches the request log. The returned function says whether the caller of a log line told the simulator to fail with that status. */
export function watchOrders(activity: RequestLog): (line: Line) => boolean {
  const ordered = new Map<unknown, number>();
  const keep = activity.addCall.bind(activity);
  activity.addCall = (record) => {
    const status = Number(ORDERED.exec(record.details.message ?? '')?.[1]);
    if (status === record.status) ordered.set(record.request_id, status);
    keep(record);
  };
  return ({ id, status }) => status !== undefined && ordered.get(id) === status;
}

const patterns = names.map((name) => ({ name, pattern: new RegExp(`^${contract[name].path.replace(/:\w+/g, '[^/]+')}$`) }));

/** Whether the contract must name the header. Others belong to HTTP or to proxies. */
const isOurs = (header: string): boolean =>
  Object.hasOwn(responseHeaders, header) || (header.startsWith('x-') && header !== 'x-accel-buffering') || header.startsWith('idempot');

/** Whether the caller told the simulator to fail with this status; no operation has to name it. */
const isOrdered = (status: number, attempts: string | null): boolean => status >= 400 && attempts?.includes(`status=${status};`) === true;

/** The headers of an answer that the contract does not name for its operation and status. */
export function unnamedHeaders(method: string, { url, status, headers }: Response): string[] {
  if (isOrdered(status, headers.get('x-modelgate-attempts'))) return [];
  const path = new URL(url).pathname;
  const name = patterns.find((one) => contract[one.name].method === methodOf(method) && one.pattern.test(path))?.name;
  if (name === undefined) return [];
  const sent: readonly ResponseHeader[] = operationHeaders[name].sends;
  const named: readonly string[] = listHeaders(sent, status);
  return [...headers.keys()]
    .filter((header) => isOurs(header) && !named.includes(header))
    .map((header) => `${name} ${status} sent ${header}`);
}
