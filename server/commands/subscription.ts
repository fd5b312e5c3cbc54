/** `modelgate subscription …`: plans of accounts. */
import type { Command } from 'commander';
import type { Subscription } from '../../contract/admin/money.ts';
import { type AdminOptions, addAdminCommand, addGroup, print, shortTime, withAdmin } from './administration.ts';
import { parseMoment } from './settings.ts';
import { formatTable } from './table.ts';

export function addSubscription(program: Command): void {
  const subscription = addGroup(program, 'subscription', 'add, list and cancel plans of accounts');
  addAdd(subscription);
  addList(subscription);
  addCancel(subscription);
}

interface AddOptions extends AdminOptions {
  readonly starts?: string;
  readonly ends?: string;
}

function addAdd(subscription: Command): void {
  addAdminCommand(subscription, 'add <account> <plan>', {
    description: 'give an account a plan of the configuration',
    examples: ['modelgate subscription add research pro', 'modelgate subscription add research pro --starts 2027-01-01 --ends 2028-01-01'],
  })
    .option('--starts <time>', 'date or time (default: now)', parseMoment)
    .option('--ends <time>', 'date or time (default: until it is cancelled)', parseMoment)
    .action(async (account: string, plan: string, options: AddOptions) => {
      const body = { plan, starts_at: options.starts, ends_at: options.ends };
      await withAdmin(options, async (client) => {
        const made = await client.call('createSubscription', { params: { account_id: account }, body });
        print(options, made, formatTable(headings, [row(made)]));
      });
    });
}

const headings = ['ID', 'PLAN', 'STATE', 'INCLUDED', 'PERIOD', 'THEN', 'STARTS', 'ENDS'];

function row(one: Subscription): string[] {
  const ends = one.cancelled_at ?? one.ends_at;
  return [one.id, one.plan, one.state, one.included, one.period, one.on_exhaustion, shortTime(one.starts_at), shortTime(ends)];
}

function addList(subscription: Command): void {
  addAdminCommand(subscription, 'list <account>', {
    description: 'list the plans of an account',
    examples: ['modelgate subscription list research'],
  }).action(async (account: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listSubscriptions', { params: { account_id: account } });
      print(options, list, list.data.length === 0 ? 'No subscriptions.\n' : formatTable(headings, list.data.map(row)));
    });
  });
}

function addCancel(subscription: Command): void {
  addAdminCommand(subscription, 'cancel <id>', {
    description: 'end a plan now',
    examples: ['modelgate subscription cancel sub_6f1d2c3b4a5948378695a4b3c2d1e0f9'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const cancelled = await client.call('cancelSubscription', { params: { subscription_id: id } });
      print(options, cancelled, `${id} is cancelled.\n`);
    });
  });
}
