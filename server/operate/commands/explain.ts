/** `modelgate explain`: shows whether a key can call a model and which rule decides, or explains a past request. */

import type { Command } from 'commander';
import type { Explanation } from '../../../contract/admin/explanations.ts';
import type { GrantedOperation } from '../../../contract/admin/fields.ts';
import { type AdminOptions, addAdminCommand, withAdmin } from './admin-command.ts';
import { commandSummaries } from './command-summaries.ts';
import { explainRequest, RETENTION_HELP } from './explain-request.ts';
import { formatPrice, formatRates } from './price.ts';
import { formatRows, formatShortTime, formatTable, printResult } from './print-result.ts';

export function addExplainCommand(program: Command): void {
  addAdminCommand(program, 'explain [key] [model]', {
    description: commandSummaries.explain,
    examples: [
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4',
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4 --url http://127.0.0.1:8081   # with the current state of each limit',
      'modelgate explain --request req_019b3a5c7e0f214a538edcd9deebd45c',
    ],
  })
    .option('--operation <name>', 'one operation, such as createResponse (default: any)')
    .option('--request <id>', `x-request-id of a response, instead of a key and a model. ${RETENTION_HELP}`)
    .action(
      async (
        key: string | undefined,
        model: string | undefined,
        options: AdminOptions & { operation?: string; request?: string },
        command: Command,
      ) => {
        if (options.request !== undefined && key === undefined) return await explainRequest(options.request, options);
        if (options.request !== undefined) return command.error('error: specify a key and a model, or a request, not both');
        if (key === undefined || model === undefined) return command.error('error: specify a key and a model, or a request with --request');
        // The API rejects an unknown operation, and lists the known ones.
        const operation = options.operation as GrantedOperation | undefined;
        await withAdmin(options, async (client) => {
          const explanation = await client.call('explain', { key, model, operation });
          printResult(options, explanation, formatExplanation(explanation));
        });
      },
    );
}

function formatExplanation(explanation: Explanation): string {
  const { allowed, rule, reason, code, key, group, model, operations, limits } = explanation;
  const allowedText = allowed ? 'yes' : `no: ${reason}`;
  const rows = limits.map((one) => [
    one.scope,
    one.quantity,
    String(one.limit),
    one.mode,
    one.remaining === null ? '-' : String(one.remaining),
  ]);
  return [
    formatRows([
      ['Allowed', allowedText],
      ['Rule', rule],
      ['Error code', code],
      ['Key', key && `${key.id} "${key.name}", ${key.state}`],
      ['Account', key && `${key.account.name}, group ${group}`],
      ['Model', model && `${model.id}, ${model.kind}, for groups ${model.groups.join(', ')}`],
      ['Operations', operations.length > 0 ? operations.join(', ') : null],
      ...toMoneyRows(explanation),
      ['Output limit', formatOutputLimit(explanation)],
    ]),
    ...(rows.length === 0 ? [] : [formatTable(['LIMIT OF', 'QUANTITY', 'LIMIT', 'MODE', 'LEFT'], rows)]),
  ].join('\n');
}

function toMoneyRows({ price, balance, spending_caps: caps, subscription }: Explanation): [string, string | null | undefined][] {
  return [
    [
      'Price',
      price &&
        `${formatPrice(price.prices)} (${price.price_list}, ${price.version === null ? 'not active yet' : `version ${price.version}`})`,
    ],
    ['× multiplier', price && `${price.multiplier}${formatEffectivePrice(price)}`],
    ['Balance', balance && `${balance.balance}, available ${balance.available}`],
    ...caps.map(({ scope, amount, left, resets_at }): [string, string] => [
      scope === 'key' ? 'Cap left' : `Cap left, ${scope}`,
      `${left} of ${amount}${resets_at === null ? '' : `, resets ${formatShortTime(resets_at)}`}`,
    ]),
    [
      'Subscription',
      subscription &&
        `${subscription.plan}: ${subscription.left} of ${subscription.included} left, resets ${formatShortTime(subscription.resets_at)}`,
    ],
  ];
}

function formatOutputLimit({ output_limit: defaultLimit, highest_output_limit: maxLimit }: Explanation): string | null {
  const lines = [
    ...(defaultLimit === null ? [] : [`${defaultLimit} tokens if the call doesn't set one`]),
    ...(maxLimit === null ? [] : [`up to ${maxLimit} if it does`]),
  ];
  return lines.length > 0 ? lines.join(', ') : null;
}

function formatEffectivePrice({ effective }: NonNullable<Explanation['price']>): string {
  const rates = formatRates(effective);
  return rates === '' ? '' : `: ${rates}`;
}
