/** `modelgate subscription …`: adds, lists, and cancels subscriptions of accounts. */
import type { Command } from 'commander';
import type { Subscription } from '../../../contract/admin/money.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { parseMoment } from './parse-time.ts';
import { formatShortTime, formatTable, printResult } from './print-result.ts';

export function addSubscriptionCommands(program: Command): void {
  const subscription = addCommandGroup(program, 'subscription', 'add, list, and cancel subscriptions of accounts');
  addAddCommand(subscription);
  addListCommand(subscription);
  addCancelCommand(subscription);
}

function addAddCommand(subscription: Command): void {
  addAdminCommand(subscription, 'add <account> <plan>', {
    description: 'subscribe an account to a configured plan',
    examples: ['modelgate subscription add research pro', 'modelgate subscription add research pro --starts 2027-01-01 --ends 2028-01-01'],
  })
    .option('--starts <time>', 'date or time (default: now)', parseMoment)
    .option('--ends <time>', "date or time (default: until it's canceled)", parseMoment)
    .action(async (account: string, plan: string, options: AdminOptions & { starts?: string; ends?: string }) => {
      const body = { plan, starts_at: options.starts, ends_at: options.ends };
      await withAdmin(options, async (client) => {
        const newSubscription = await client.call('createSubscription', { params: { account_id: account }, body });
        printResult(options, newSubscription, formatTable(subscriptionHeadings, [toSubscriptionRow(newSubscription)]));
      });
    });
}

const subscriptionHeadings = ['ID', 'PLAN', 'STATE', 'INCLUDED', 'PERIOD', 'THEN', 'STARTS', 'ENDS'];

function toSubscriptionRow(one: Subscription): string[] {
  const ends = one.cancelled_at ?? one.ends_at;
  return [one.id, one.plan, one.state, one.included, one.period, one.on_exhaustion, formatShortTime(one.starts_at), formatShortTime(ends)];
}

function addListCommand(subscription: Command): void {
  addAdminCommand(subscription, 'list <account>', {
    description: 'list the subscriptions of an account',
    examples: ['modelgate subscription list research'],
  }).action(async (account: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listSubscriptions', { params: { account_id: account } });
      printResult(
        options,
        list,
        list.data.length === 0 ? 'No subscriptions.\n' : formatTable(subscriptionHeadings, list.data.map(toSubscriptionRow)),
      );
    });
  });
}

function addCancelCommand(subscription: Command): void {
  addAdminCommand(subscription, 'cancel <id>', {
    description: 'cancel a subscription immediately',
    examples: ['modelgate subscription cancel sub_6f1d2c3b4a5948378695a4b3c2d1e0f9'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const result = await client.call('cancelSubscription', { params: { subscription_id: id } });
      printResult(options, result, `${id} is cancelled.\n`);
    });
  });
}
