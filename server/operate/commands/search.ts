/** `modelgate search`: finds a request, key, account, or model by its ID or name. */
import type { Command } from 'commander';
import { commandSummaries } from './command-summaries.ts';
import { addRequestCommand } from './request-command.ts';

export function addSearchCommand(program: Command): void {
  addRequestCommand(program, 'search <text>', {
    description: commandSummaries.search,
    examples: ['modelgate search research', 'modelgate search req_01a20823c275fb8969eb8cd844614650 --json'],
    operation: 'search',
    arguments: ['q'],
    print: { TYPE: 'kind', ID: 'id', NAME: 'label' },
    emptyText: 'No results.\n',
  });
}
