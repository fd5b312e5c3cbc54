/** An operator at the admin API of one gateway, for tests of what the other gateways see. */
import type { Stage } from './stage.ts';

export type Operate = (method: string, path: string, body?: unknown) => Promise<Readonly<Record<string, unknown>>>;

/** Opens the admin API of the gateway with this index. */
export async function openOperator({ cluster }: Stage, gateway: number): Promise<Operate> {
  const key = (await cluster.command('admin-key', 'create', '--name', `operator ${gateway}`)).trim();
  const origin = cluster.gateways[gateway]?.adminOrigin;
  if (origin === undefined) throw new Error('this gateway has no admin API');
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${origin}/admin/v1${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`the operator was rejected: ${text}`);
    return JSON.parse(text);
  };
}
