/** `modelgate explain <key> <model>`: what a key may do, what it costs, what is left, and which rule decides; without a call being made. */
import type { Command } from 'commander';
import type { Explanation } from '../../contract/admin/explanations.ts';
import type { GrantedOperation } from '../../contract/admin/fields.ts';
import { type AdminOptions, addAdminCommand, describe, print, shortTime, withAdmin } from './administration.ts';
import { priceText } from './price.ts';
import { formatTable } from './table.ts';

interface ExplainOptions extends AdminOptions {
  readonly operation?: string;
}

export function addExplain(program: Command): void {
  addAdminCommand(program, 'explain <key> <model>', {
    description: 'say what a key (or its id) may do with a model, and which rule decides',
    examples: [
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4',
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4 --url http://127.0.0.1:8081   # with what is left of each limit now',
    ],
  })
    .option('--operation <name>', 'one operation, such as createResponse; any where left out')
    .action(async (key: string, model: string, options: ExplainOptions) => {
      // The API refuses a name that is none of its operations, and says which ones there are.
      const operation = options.operation as GrantedOperation | undefined;
      await withAdmin(options, async (client) => {
        const explained = await client.call('explain', { body: { key, model, operation } });
        print(options, explained, explanationText(explained));
      });
    });
}

function explanationText(explained: Explanation): string {
  const { allowed, rule, reason, code, key, group, model, operations, limits } = explained;
  const verdict = allowed ? 'yes' : `no: ${reason}`;
  const rows = limits.map((one) => [
    one.scope,
    one.quantity,
    String(one.limit),
    one.mode,
    one.remaining === null ? '-' : String(one.remaining),
  ]);
  return [
    describe([
      ['Allowed', verdict],
      ['Rule', rule],
      ['Error code', code],
      ['Key', key && `${key.id} "${key.name}", ${key.state}`],
      ['Account', key && `${key.account.name}, group ${group}`],
      ['Model', model && `${model.id}, ${model.kind}, for groups ${model.groups.join(', ')}`],
      ['Operations', operations.length > 0 ? operations.join(', ') : null],
      ...moneyRows(explained),
    ]),
    ...(rows.length === 0 ? [] : [formatTable(['LIMIT OF', 'QUANTITY', 'LIMIT', 'MODE', 'LEFT'], rows)]),
  ].join('\n');
}

function moneyRows({ price, balance, spending_cap: cap, subscription }: Explanation): [string, string | null | undefined][] {
  return [
    [
      'Price',
      price &&
        `${priceText(price.prices)} (${price.price_list}, ${price.version === null ? 'not in force yet' : `version ${price.version}`})`,
    ],
    ['× multiplier', price && `${price.multiplier}${effectiveText(price)}`],
    ['Balance', balance && `${balance.balance}, available ${balance.available}`],
    ['Cap left', cap && `${cap.left} of ${cap.cap.amount}${cap.resets_at === null ? '' : `, anew ${shortTime(cap.resets_at)}`}`],
    [
      'Subscription',
      subscription &&
        `${subscription.plan}: ${subscription.left} of ${subscription.included} left, anew ${shortTime(subscription.resets_at)}`,
    ],
  ];
}

function effectiveText({ effective }: NonNullable<Explanation['price']>): string {
  const rates = Object.entries(effective).map(([name, rate]) => `${name} ${rate}`);
  return rates.length === 0 ? '' : `: ${rates.join(', ')}`;
}
