/** `modelgate group …`: lists the groups of accounts with their multiplier, limits, and models. */
import type { Command } from 'commander';
import { addCommandGroup } from './admin-command.ts';
import { formatLimit } from './limit-options.ts';
import { addRequestCommand } from './request-command.ts';

export function addGroupCommands(program: Command): void {
  const group = addCommandGroup(program, 'group');
  addRequestCommand(group, 'list', {
    description: 'list groups with their multiplier, limits, and models',
    examples: ['modelgate group list', 'modelgate group list --json'],
    operation: 'listGroups',
    print: {
      GROUP: 'name',
      MULTIPLIER: 'multiplier',
      'REQUESTS/MIN': ({ limits }) => formatLimit(limits.requests_per_minute),
      'TOKENS/MIN': ({ limits }) => formatLimit(limits.tokens_per_minute),
      CONCURRENT: ({ limits }) => formatLimit(limits.concurrency),
      MODELS: ({ models }) => models.join(', '),
    },
  });
}
