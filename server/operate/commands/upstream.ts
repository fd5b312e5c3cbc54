/** `modelgate upstream …`: lists cooldowns of upstreams, makes test calls, and resets upstreams. */
import type { Command } from 'commander';
import type { UpstreamKeyCheck, UpstreamReport } from '../../../contract/admin/upstreams.ts';
import { addCommandGroup } from './admin-command.ts';
import { formatRows, formatTable } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

const URL_OPTION = '--url http://127.0.0.1:8081';

export function addUpstreamCommands(program: Command): void {
  const upstream = addCommandGroup(program, 'upstream');
  addRequestCommand(upstream, 'list', {
    description: 'list upstreams, and the models and keys that are cooling down in running processes',
    examples: [`modelgate upstream list ${URL_OPTION}`, 'modelgate upstream list --json'],
    operation: 'listUpstreams',
    print: {
      UPSTREAM: 'name',
      KIND: 'kind',
      HOST: 'host',
      'CALLS 24 H': 'requests_24h',
      ERRORS: 'errors_24h',
      'COOLING DOWN': (one) => (one.nodes.length === 0 ? 'unknown' : formatCooldowns(one)),
    },
  });
  addRequestCommand(upstream, 'test <name>', {
    description: 'make one short, real call to an upstream; the provider bills you for it',
    examples: ['modelgate upstream test openai', `modelgate upstream test openai --model gpt-5.4 ${URL_OPTION}`],
    needsRunningGateway: true,
    operation: 'testUpstream',
    arguments: ['upstream'],
    options: { model: ['--model <id>', 'configured text model (default: the first one that the upstream serves)'] },
    print: (outcome) =>
      formatRows([
        ['Works', outcome.ok ? 'yes' : `no: ${outcome.message}`],
        ['Model', outcome.model],
        ['Status', outcome.status === null ? null : String(outcome.status)],
        ['Error code', outcome.code],
        ['Provider', [outcome.provider_code, outcome.provider_message].filter((part) => part !== null).join(': ') || null],
        ['First byte', outcome.headers_ms === null ? null : `${outcome.headers_ms} ms`],
        ['Total', `${outcome.total_ms} ms`],
        ['Provider cost', outcome.provider_cost],
      ]),
    isFailed: ({ ok }) => !ok,
  });
  addRequestCommand(upstream, 'check-keys <name>', {
    description: "list the provider's models with each key in use, at no cost",
    examples: ['modelgate upstream check-keys openai', `modelgate upstream check-keys openai ${URL_OPTION}`],
    needsRunningGateway: true,
    operation: 'checkUpstreamKeys',
    arguments: ['upstream'],
    print: ({ keys }) => formatTable(['KEY', 'STATE', 'FOUND'], keys.map(toCheckedKeyRow)),
    isFailed: ({ ok }) => !ok,
  });
  addRequestCommand(upstream, 'reset <name>', {
    description: 'clear the failures and cooldowns of an upstream, so that it gets calls again',
    examples: ['modelgate upstream reset openai', `modelgate upstream reset openai ${URL_OPTION}`],
    needsRunningGateway: true,
    operation: 'resetUpstream',
    arguments: ['upstream'],
    print: ({ places, keys }, { upstream: name }) => `${name} reset: ${places} models and ${keys} keys were cooling down.\n`,
  });
}

const toCheckedKeyRow = ({ last_four: four, state, message, hint }: UpstreamKeyCheck['keys'][number]): readonly string[] => [
  four === null ? '-' : `…${four}`,
  state,
  hint === null ? message : `${message}. ${hint}`,
];

/** Shows the worst state of each model and key over all processes. */
function formatCooldowns({ nodes }: UpstreamReport): string {
  const models = new Map<string, number>();
  const coolingModels = nodes.flatMap((node) => node.places.filter(({ cooldown_ms: ms }) => ms > 0));
  for (const { upstream_model: model, cooldown_ms: ms } of coolingModels) models.set(model, Math.max(models.get(model) ?? 0, ms));
  const keys = nodes.flatMap((node) => node.keys.filter(({ state }) => state !== 'ready'));
  const coolingDown = [
    ...[...models].map(([model, ms]) => `${model} ${Math.ceil(ms / 1_000)} s`),
    ...new Set(keys.map(({ last_four: four, state }) => `key …${four} ${state}`)),
  ];
  return coolingDown.join(', ') || 'nothing';
}
