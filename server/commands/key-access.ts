/** `modelgate key access`: what a key may do with every model, and the rule that decides. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, print, withAdmin } from './administration.ts';
import { formatTable } from './table.ts';

export function addAccess(key: Command): void {
  addAdminCommand(key, 'access <key_id>', {
    description: 'show for each model whether a key may call it now, its price, and the rule that decides',
    examples: ['modelgate key access key_0aB3dE5gH7jK9mN1p', 'modelgate key access key_0aB3dE5gH7jK9mN1p --json'],
  }).action(async (keyId: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const access = await client.call('explainKey', { params: { key_id: keyId } });
      const rows = access.models.map(({ id, allowed, price, rule, reason }) => [
        id,
        allowed ? 'yes' : 'no',
        rule ?? '-',
        price === null ? '-' : pricesOf(price.effective),
        allowed ? '' : reason,
      ]);
      print(options, access, formatTable(['MODEL', 'ALLOWED', 'RULE', 'DOLLARS', 'WHY'], rows));
    });
  });
}

const pricesOf = (effective: Readonly<Record<string, string>>): string =>
  Object.entries(effective)
    .map(([name, rate]) => `${name} ${rate}`)
    .join(', ') || 'free';
