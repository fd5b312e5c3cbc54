/** What a gateway under test said, held against the contract: no operation may answer with a code or send a header that it does not name. */
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import { headersOn, operationHeaders, type ResponseHeader, responseHeaders } from '../../contract/headers.ts';
import { contract } from '../../contract/index.ts';
import { addressErrors, type OperationName, operationErrors } from '../../contract/operation-errors.ts';
import type { Activity } from '../../server/activity/activity.ts';

// The names of an object are those of its type.
const names = Object.keys(contract) as OperationName[];
const isCode = (value: unknown): value is ErrorCode => errorCodes.some((code) => code === value);
const methodOf = (method: unknown) => (method === 'HEAD' ? 'GET' : method);

/** Pages, health and other ways in are in no contract; `unknown` is an address where nothing is. */
const isInContract = (route: string): boolean => route === 'unknown' || route === '/catalog' || route.startsWith('/v1/');

/** One line of the log, which every request leaves. */
type Line = Readonly<Record<string, unknown>>;

/** Every (operation, code) pair in the lines that the contract does not name. `isOrdered`: failures that callers order from the simulator. */
export function unnamedIn(lines: readonly Line[], isOrdered: (line: Line) => boolean): string[] {
  return lines.flatMap((line) => {
    const { msg, code, route } = line;
    if (msg !== 'request' || !isCode(code) || !isInContract(String(route)) || isOrdered(line)) return [];
    const name = names.find((one) => contract[one].path === line.route && contract[one].method === methodOf(line.method));
    // An address without an id is that of no operation, though the router has its route.
    const codes: readonly ErrorCode[] = name && code !== 'unknown_url' ? operationErrors[name] : addressErrors;
    return codes.includes(code) ? [] : [`${name ?? `${line.method} ${line.route}`} answered ${code}`];
  });
}

const ORDERED = /^The built-in simulator was asked to fail with status (\d+)\.$/;

/** Listens to what is written to the request log. Of a line it says whether its caller got the very failure that was asked for. */
export function watchOrders(activity: Activity): (line: Line) => boolean {
  const ordered = new Map<unknown, number>();
  const { keep } = activity;
  activity.keep = (record) => {
    const status = Number(ORDERED.exec(record.details.message ?? '')?.[1]);
    if (status === record.status) ordered.set(record.request_id, status);
    keep(record);
  };
  return ({ id, status }) => status !== undefined && ordered.get(id) === status;
}

const patterns = names.map((name) => ({ name, pattern: new RegExp(`^${contract[name].path.replace(/:\w+/g, '[^/]+')}$`) }));

/** Headers that are ours to name; the others are those of HTTP, and of proxies on the way. */
const isOurs = (header: string): boolean =>
  Object.hasOwn(responseHeaders, header) || (header.startsWith('x-') && header !== 'x-accel-buffering') || header.startsWith('idempot');

/** A failure that was ordered from the simulator goes by its own status, which no operation has to name. */
const isOrdered = (status: number, attempts: string | null): boolean => status >= 400 && attempts?.includes(`status=${status};`) === true;

/** The headers of an answer that its operation does not name for this status. */
export function unnamedHeaders(method: string, { url, status, headers }: Response): string[] {
  if (isOrdered(status, headers.get('x-modelgate-attempts'))) return [];
  const path = new URL(url).pathname;
  const name = patterns.find((one) => contract[one.name].method === methodOf(method) && one.pattern.test(path))?.name;
  if (name === undefined) return [];
  const sent: readonly ResponseHeader[] = operationHeaders[name].sends;
  const named: readonly string[] = headersOn(sent, status);
  return [...headers.keys()]
    .filter((header) => isOurs(header) && !named.includes(header))
    .map((header) => `${name} ${status} sent ${header}`);
}
