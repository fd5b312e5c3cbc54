/** Writes what `serve` prints when the gateway is ready: addresses, upstreams, a key, and a first call to copy. */
import type { Config } from '../../config/config.ts';
import { listModelsBelowListPrice } from '../../config/model-differences.ts';
import { readPublicModels } from '../../config/public-models.ts';
import type { SetupTokens } from './first-start.ts';
import { formatDataOption } from './location-options.ts';

interface BannerFacts {
  readonly version: string;
  readonly config: Config;
  /** Working directory. */
  readonly folder: string;
  /** Origin that works from this machine, without a path. */
  readonly origin: string;
  /** Origin of the admin API. Undefined if it's off. */
  readonly adminOrigin: string | undefined;
  /** Origin of the metrics. Undefined if they're off. */
  readonly metricsOrigin?: string | undefined;
  /** Set only at the first start. */
  readonly firstKey: string | undefined;
  /** Set only at the first start. */
  readonly setUp?: SetupTokens | undefined;
  /** Highlights a heading. Does nothing if the output isn't a terminal. */
  readonly emphasize: (text: string) => string;
}

/** How to run other commands: from the installed package, or from a checkout. */
export const PROGRAM = import.meta.url.includes('/node_modules/') ? 'npx modelgate' : 'npm run modelgate --';

export function writeBanner(facts: BannerFacts): string {
  const { version, config, folder, origin, adminOrigin, metricsOrigin, firstKey, emphasize } = facts;
  const hint = formatDataOption(config.data, folder);
  const baseUrl = `${origin}/v1`;
  const sample = chooseSample(config);
  const rows = [
    ['Base URL', baseUrl],
    ['API key', formatKey(hint, firstKey)],
    ['Docs', `${origin}/docs`],
    ...toPageRows(facts),
    ...(adminOrigin === undefined
      ? []
      : [['Admin API', `${adminOrigin}/admin/docs   (create an admin key: ${PROGRAM} admin-key create${hint})`]]),
    ...(metricsOrigin === undefined ? [] : [['Metrics', `${metricsOrigin}/metrics`]]),
    ...toUpstreamRows(config),
    ...toPriceRows(config),
    ['Data', config.data],
  ];
  return [
    emphasize(`Modelgate ${version}`),
    '',
    ...rows.map(([name = '', text = '']) => `  ${emphasize(name.padEnd(10))} ${text}`),
    '',
    emphasize('Try it with curl:'),
    '',
    `  ${formatCurl({ baseUrl, firstKey, sample })}`,
    '',
    emphasize('or with the OpenAI SDK (npm install openai; hello.mjs):'),
    '',
    ...formatSdkSample({ baseUrl, firstKey, sample }).map((line) => `  ${line}`),
    '',
    '',
  ].join('\n');
}

const ONE_TIME_NOTE = '   (one-time sign-in link, valid for 15 minutes)';

function toPageRows(facts: BannerFacts): string[][] {
  const { console: consoleUrl, portal } = getPageLinks(facts);
  const note = facts.setUp === undefined ? '' : ONE_TIME_NOTE;
  return [...(portal === null ? [] : [['Portal', portal + note]]), ...(consoleUrl === null ? [] : [['Console', consoleUrl + note]])];
}

/** Null for pages that are turned off. The token follows `#`, so that servers and logs never see it. */
function getPageLinks({ config: { pages }, origin, adminOrigin, setUp }: BannerFacts): Record<'console' | 'portal', string | null> {
  const formatHash = (token: string | undefined): string => (token === undefined ? '' : `#setup=${token}`);
  return {
    console: pages.console && adminOrigin !== undefined ? `${adminOrigin}/console/${formatHash(setUp?.console)}` : null,
    portal: pages.portal ? `${origin}/portal/${formatHash(setUp?.portal)}` : null,
  };
}

/** Writes the banner for programs, as one line of JSON. */
export function writeReadyLine(facts: BannerFacts): string {
  const { version, origin, adminOrigin, metricsOrigin, firstKey } = facts;
  const links = getPageLinks(facts);
  const line = {
    baseUrl: `${origin}/v1`,
    // Null if the key was shown at an earlier start, because it can't be shown again.
    apiKey: firstKey ?? null,
    pid: process.pid,
    version,
    adminUrl: adminOrigin ?? null,
    metricsUrl: metricsOrigin === undefined ? null : `${metricsOrigin}/metrics`,
    consoleUrl: links.console,
    portalUrl: links.portal,
  };
  return `${JSON.stringify(line)}\n`;
}

function formatKey(hint: string, firstKey: string | undefined): string {
  if (firstKey !== undefined) return `${firstKey}   (save it: it's shown only once)`;
  return `your key was shown on first start; create another: ${PROGRAM} key create${hint}`;
}

function toUpstreamRows({ upstreams, tape }: Config): string[][] {
  if (tape?.kind === 'replay') return [['Upstream', `replay: responses recorded in ${tape.folder}`]];
  const recordingRows = tape ? [['Recording', tape.folder]] : [];
  return [...recordingRows, ...toConfiguredRows(upstreams)];
}

/** Only real models can lose money, so the simulator isn't checked. */
function toPriceRows(config: Config): string[][] {
  if (config.billing === 'off' || Object.values(config.upstreams).every(({ kind }) => kind === 'simulator')) return [];
  const belowListPrices = listModelsBelowListPrice(config, readPublicModels());
  return belowListPrices.length === 0
    ? []
    : [['Prices', `below the list price: ${belowListPrices.join(', ')}. See ${PROGRAM} config check`]];
}

function toConfiguredRows(upstreams: Config['upstreams']): string[][] {
  const all = Object.values(upstreams);
  const hint = all.every(({ kind }) => kind === 'simulator')
    ? [['', 'For real models, set OPENAI_API_KEY or add upstreams to modelgate.yaml.']]
    : [];
  return all.flatMap((upstream) =>
    upstream.kind !== 'simulator'
      ? [['Upstream', `${upstream.name} at ${upstream.baseUrl}`]]
      : [['Upstream', `${upstream.name} (built in): returns canned responses and calls no real model`], ...hint],
  );
}

/** A sample call of a configured model. */
interface Sample {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly call: string;
  readonly print: string;
}

const PROMPT = 'Say hello.';

function chooseSample({ models }: Config): Sample {
  const chat = models.find(({ protocols }) => protocols.includes('chat'));
  if (chat !== undefined) {
    const body = { model: chat.id, messages: [{ role: 'user', content: PROMPT }] };
    return { path: '/chat/completions', body, call: 'chat.completions.create', print: 'answer.choices[0].message.content' };
  }
  const responses = models.find(({ protocols }) => protocols.includes('responses'));
  if (responses !== undefined) {
    return { path: '/responses', body: { model: responses.id, input: PROMPT }, call: 'responses.create', print: 'answer.output_text' };
  }
  return { path: '/models', body: undefined, call: 'models.list', print: 'answer.data' };
}

interface SampleFacts {
  readonly baseUrl: string;
  readonly firstKey: string | undefined;
  readonly sample: Sample;
}

function formatCurl({ baseUrl, firstKey, sample }: SampleFacts): string {
  const call = `curl ${baseUrl}${sample.path} -H "Authorization: Bearer ${firstKey ?? '$MODELGATE_API_KEY'}"`;
  return sample.body === undefined ? call : `${call} -H "Content-Type: application/json" -d '${JSON.stringify(sample.body)}'`;
}

function formatSdkSample({ baseUrl, firstKey, sample }: SampleFacts): string[] {
  const key = firstKey === undefined ? 'process.env.MODELGATE_API_KEY' : `'${firstKey}'`;
  return [
    "import OpenAI from 'openai';",
    `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: ${key} });`,
    `const answer = await client.${sample.call}(${sample.body === undefined ? '' : JSON.stringify(sample.body)});`,
    `console.log(${sample.print});`,
  ];
}
