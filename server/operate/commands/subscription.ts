/** `modelgate subscription …`: adds, lists, and cancels subscriptions of accounts. */
import type { Command } from 'commander';
import type { Subscription } from '../../../contract/admin/money.ts';
import { addCommandGroup } from './admin-command.ts';
import { parseMoment } from './parse-time.ts';
import { formatShortTime } from './print-result.ts';
import { addRequestCommand, formatColumns } from './request-command.ts';

export function addSubscriptionCommands(program: Command): void {
  const subscription = addCommandGroup(program, 'subscription');
  addRequestCommand(subscription, 'add <account> <plan>', {
    description: 'subscribe an account to a configured plan',
    examples: ['modelgate subscription add research pro', 'modelgate subscription add research pro --starts 2027-01-01 --ends 2028-01-01'],
    operation: 'createSubscription',
    arguments: ['account_id', 'plan'],
    options: {
      starts_at: ['--starts <time>', 'date or time (default: now)', parseMoment],
      ends_at: ['--ends <time>', "date or time (default: until it's canceled)", parseMoment],
    },
    print: (newSubscription) => formatColumns(columns, [newSubscription]),
  });
  addRequestCommand(subscription, 'list <account>', {
    description: 'list the subscriptions of an account',
    examples: ['modelgate subscription list research'],
    operation: 'listSubscriptions',
    arguments: ['account_id'],
    print: columns,
    emptyText: 'No subscriptions.\n',
  });
  addRequestCommand(subscription, 'cancel <id>', {
    description: 'cancel a subscription immediately',
    examples: ['modelgate subscription cancel sub_6f1d2c3b4a5948378695a4b3c2d1e0f9'],
    operation: 'cancelSubscription',
    arguments: ['subscription_id'],
    print: (_, { subscription_id: id }) => `${id} is cancelled.\n`,
  });
}

const columns = {
  ID: 'id',
  PLAN: 'plan',
  STATE: 'state',
  INCLUDED: 'included',
  PERIOD: 'period',
  THEN: 'on_exhaustion',
  STARTS: (one: Subscription) => formatShortTime(one.starts_at),
  ENDS: (one: Subscription) => formatShortTime(one.cancelled_at ?? one.ends_at),
} as const;
