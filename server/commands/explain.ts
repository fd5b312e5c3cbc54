/** `modelgate explain`: shows what a key may do, what it costs, what is left, and which rule decides, without a call; or the result of a request. */
import type { Command } from 'commander';
import type { Explanation } from '../../contract/admin/explanations.ts';
import type { GrantedOperation } from '../../contract/admin/fields.ts';
import { type AdminOptions, addAdminCommand, describe, print, shortTime, withAdmin } from './administration.ts';
import { explainRequest, KEPT_HELP } from './explain-request.ts';
import { priceText } from './price-text.ts';
import { formatTable } from './table.ts';

interface ExplainOptions extends AdminOptions {
  readonly operation?: string;
  readonly request?: string;
}

export function addExplain(program: Command): void {
  addAdminCommand(program, 'explain [key] [model]', {
    description: 'show what a key (or its id) may do with a model, and which rule decides; or the result of a request',
    examples: [
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4',
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4 --url http://127.0.0.1:8081   # with what is left of each limit now',
      'modelgate explain --request req_019b3a5c7e0f214a538edcd9deebd45c',
    ],
  })
    .option('--operation <name>', 'one operation, such as createResponse (default: any)')
    .option('--request <id>', `the x-request-id of an answer, instead of a key and a model. ${KEPT_HELP}`)
    .action(async (key: string | undefined, model: string | undefined, options: ExplainOptions, command: Command) => {
      if (options.request !== undefined && key === undefined) return await explainRequest(options.request, options);
      if (options.request !== undefined) return command.error('error: name a key and a model, or a request, not both');
      if (key === undefined || model === undefined) return command.error('error: name a key and a model, or a request with --request');
      // The API refuses an unknown operation, and lists the known ones.
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
      ['Output limit', outputText(explained)],
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

function outputText({ output_limit: given, highest_output_limit: highest }: Explanation): string | null {
  const said = [
    ...(given === null ? [] : [`${given} tokens where a call names none`]),
    ...(highest === null ? [] : [`up to ${highest} where it names one`]),
  ];
  return said.length > 0 ? said.join(', ') : null;
}

function effectiveText({ effective }: NonNullable<Explanation['price']>): string {
  const rates = Object.entries(effective).map(([name, rate]) => `${name} ${rate}`);
  return rates.length === 0 ? '' : `: ${rates.join(', ')}`;
}
