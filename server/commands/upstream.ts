/** `modelgate upstream …`: what rests at the upstreams, a test call, and waking them. */
import type { Command } from 'commander';
import type { UpstreamReport } from '../../contract/admin/upstreams.ts';
import { type AdminOptions, addAdminCommand, addGroup, describe, print, withAdmin } from './administration.ts';
import { formatTable } from './table.ts';

const URL_OPTION = '--url http://127.0.0.1:8081';

export function addUpstream(program: Command): void {
  const upstream = addGroup(program, 'upstream', 'see, test and wake the upstreams');
  addList(upstream);
  addTest(upstream);
  addWake(upstream);
}

function addList(upstream: Command): void {
  addAdminCommand(upstream, 'list', {
    description: 'list upstreams, and what rests there in the processes that run',
    examples: [`modelgate upstream list ${URL_OPTION}`, 'modelgate upstream list --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listUpstreams', {});
      const rows = list.data.map((one) => [
        one.name,
        one.kind,
        one.host ?? '-',
        String(one.requests_24h),
        String(one.errors_24h),
        one.nodes.length === 0 ? 'unknown' : restText(one),
      ]);
      print(options, list, formatTable(['UPSTREAM', 'KIND', 'HOST', 'CALLS 24 H', 'ERRORS', 'RESTS'], rows));
    });
  });
}

/** Over all processes: of each model and key what is worst. */
function restText({ nodes }: UpstreamReport): string {
  const models = new Map<string, number>();
  const places = nodes.flatMap((node) => node.places.filter(({ rests_ms: ms }) => ms > 0));
  for (const { upstream_model: model, rests_ms: ms } of places) models.set(model, Math.max(models.get(model) ?? 0, ms));
  const keys = nodes.flatMap((node) => node.keys.filter(({ state }) => state !== 'ready'));
  const resting = [
    ...[...models].map(([model, ms]) => `${model} ${Math.ceil(ms / 1_000)} s`),
    ...new Set(keys.map(({ last_four: four, state }) => `key …${four} ${state}`)),
  ];
  return resting.join(', ') || 'nothing';
}

interface TestOptions extends AdminOptions {
  readonly model?: string;
}

function addTest(upstream: Command): void {
  addAdminCommand(upstream, 'test <name>', {
    description: 'make one real, short call, which the vendor bills to you',
    examples: [`modelgate upstream test openai ${URL_OPTION}`, `modelgate upstream test openai --model gpt-5.4 ${URL_OPTION}`],
  })
    .option('--model <id>', 'text model of the configuration (default: the first that the upstream serves)')
    .action(async (name: string, options: TestOptions) => {
      await withAdmin(options, async (client) => {
        const { model } = options;
        const outcome = await client.call('testUpstream', { params: { upstream: name }, body: { model } });
        const text = describe([
          ['Works', outcome.ok ? 'yes' : `no: ${outcome.message}`],
          ['Model', outcome.model],
          ['Status', outcome.status === null ? null : String(outcome.status)],
          ['Error code', outcome.code],
          ['Provider', [outcome.vendor_code, outcome.vendor_message].filter((part) => part !== null).join(': ') || null],
          ['First byte', outcome.first_ms === null ? null : `${outcome.first_ms} ms`],
          ['Whole', `${outcome.total_ms} ms`],
          ['Vendor cost', outcome.vendor_cost],
        ]);
        print(options, outcome, text);
      });
    });
}

function addWake(upstream: Command): void {
  addAdminCommand(upstream, 'wake <name>', {
    description: 'forget failures and pauses, so that calls go there again at once',
    examples: [`modelgate upstream wake openai ${URL_OPTION}`],
  }).action(async (name: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const woken = await client.call('wakeUpstream', { params: { upstream: name } });
      print(options, woken, `${name} is awake: ${woken.places} models and ${woken.keys} keys rested.\n`);
    });
  });
}
