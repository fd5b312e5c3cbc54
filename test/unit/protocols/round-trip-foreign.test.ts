/** Requests to Anthropic, Gemini and Converse upstreams for any turn: they fit the vendor's rules and have all content. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import type { CallItem, CanonicalRequest, Item } from '../../../server/protocols/canonical/canonical-request.ts';
import { createFlatToolNames } from '../../../server/protocols/canonical/flat-tool-names.ts';
import { converseDialect } from '../../../server/protocols/converse/dialect.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { checkConverse } from '../../fakes/converse-check.ts';
import { type AnthropicBody, anthropicBody } from './anthropic-rules.ts';
import { legalTurns } from './arbitrary-turns.ts';
import { runs } from './arbitrary-values.ts';
import { type GeminiBody, geminiBody } from './gemini-rules.ts';

/** The content of a body in a neutral form. */
interface Found {
  readonly system: string;
  /** Of user and assistant, in order. */
  readonly texts: readonly string[];
  readonly calls: readonly Called[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
  /** Data and URLs of images and files. */
  readonly shown: readonly string[];
}
interface Called {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function readAnthropic({ system, messages }: AnthropicBody): Found {
  const blocks = messages.flatMap(({ content }) => content as Extract<(typeof content)[number], { type: string }>[]);
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
  const inside = results.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const sources = [...blocks, ...inside].flatMap((block) => ('source' in block ? [block.source] : []));
  return {
    system: system ?? '',
    texts: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    calls: blocks.flatMap((block) => (block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [])),
    results: results.map(({ tool_use_id: id, content = '' }) => ({
      id,
      text: typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    })),
    shown: sources.map((source) => ('data' in source ? source.data : source.url)),
  };
}

function readGemini({ systemInstruction, contents }: GeminiBody): Found {
  const parts = contents.flatMap((content) => content.parts);
  return {
    system: (systemInstruction?.parts ?? []).map(({ text }) => text).join('\n\n'),
    // A signature splits a text: its pieces are joined again.
    texts: contents.flatMap((content) => joinPieces(content.parts)),
    calls: parts.flatMap(({ functionCall: call }) => (call ? [{ id: call.id ?? '', name: call.name, input: call.args }] : [])),
    results: parts.flatMap(({ functionResponse: given }) => (given ? [{ id: given.id ?? '', text: String(given.response.result) }] : [])),
    shown: parts.flatMap(({ inlineData }) => (inlineData ? [inlineData.data] : [])),
  };
}

interface ConverseBody {
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly { readonly content: readonly ConverseBlock[] }[];
}
interface ConverseBlock {
  readonly text?: string;
  readonly image?: { readonly source: { readonly bytes: string } };
  readonly document?: { readonly source: { readonly bytes: string } };
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: unknown };
  readonly toolResult?: { readonly toolUseId: string; readonly content: readonly ConverseBlock[] };
}

function readConverse({ system = [], messages }: ConverseBody): Found {
  const blocks = messages.flatMap(({ content }) => content);
  const results = blocks.flatMap(({ toolResult }) => (toolResult ? [toolResult] : []));
  const shown = [...blocks, ...results.flatMap(({ content }) => content)].flatMap(({ image, document }) => image ?? document ?? []);
  const textOf = (block: ConverseBlock): string[] => (block.text === undefined ? [] : [block.text]);
  return {
    system: system.map(({ text }) => text).join('\n\n'),
    texts: blocks.flatMap(textOf),
    calls: blocks.flatMap(({ toolUse }) => (toolUse ? [{ id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input }] : [])),
    results: results.map(({ toolUseId: id, content }) => ({ id, text: content.flatMap(textOf).join('') })),
    shown: shown.map(({ source }) => source.bytes),
  };
}

/** As the fake vendor checks it. */
const converseBody = {
  safeParse(fields: Readonly<Record<string, unknown>>) {
    const wrong = checkConverse({ fields, headers: {}, path: '/model/m/converse' });
    return wrong === null ? {} : { error: { issues: [wrong] } };
  },
};

const joinPieces = (parts: readonly { readonly text?: string | undefined; readonly thought?: true | undefined }[]): string[] => [
  parts.flatMap(({ text, thought }) => (text === undefined || thought ? [] : [text])).join(''),
];

const upstreams = {
  anthropic: { upstream: anthropicDialect, rules: anthropicBody, read: readAnthropic as (body: never) => Found },
  gemini: { upstream: geminiDialect, rules: geminiBody, read: readGemini as (body: never) => Found },
  converse: { upstream: converseDialect, rules: converseBody, read: readConverse as (body: never) => Found },
} as const;
type Kind = keyof typeof upstreams;

const kinds = ['anthropic', 'gemini', 'converse'] as const;
const pairs = kinds.flatMap((kind) => (['chat', 'responses'] as const).map((caller) => ({ kind, caller })));
const bodyOf = (turn: CanonicalRequest, kind: Kind) => JSON.parse(JSON.stringify(upstreams[kind].upstream.writeRequest(turn)));
const find = (turn: CanonicalRequest, kind: Kind): Found => upstreams[kind].read(bodyOf(turn, kind) as never);

/** All texts, without blank ones in instructions and where the vendor refuses them. */
function said(items: readonly Item[], kind: Kind): string[] {
  return items.flatMap((item) => {
    if (item.kind !== 'message') return [];
    const isBlankNothing = kind !== 'gemini' || item.role === 'system' || item.role === 'developer';
    return item.parts.flatMap((part) => ('text' in part && (isBlankNothing ? part.text.trim() : part.text) !== '' ? [part.text] : []));
  });
}
const inputOf = ({ form, arguments: text }: CallItem): unknown =>
  form === 'custom' ? { input: text } : text.trim() === '' ? {} : JSON.parse(text);
const plain = (value: unknown): string => JSON.stringify(value);

describe.each(pairs)('a turn of a $caller caller for a $kind upstream', ({ kind, caller }) => {
  const turns = legalTurns({ caller, upstream: kind });
  const check = (see: (turn: CanonicalRequest) => void, times: number) => fc.assert(fc.property(turns, see), runs(times));

  test('fits the rules of the vendor', () => {
    check((turn) => {
      expect(upstreams[kind].rules.safeParse(bodyOf(turn, kind)).error?.issues ?? []).toEqual([]);
    }, 500);
  });

  test('keeps each text', () => {
    check((turn) => {
      const { system, texts } = find(turn, kind);
      const everything = [system, ...texts].join('\u0001');
      for (const text of [...said(turn.items, kind), ...(turn.instructions?.trim() ? [turn.instructions] : [])])
        expect(everything).toContain(text);
    }, 300);
  });

  test('keeps each call with its arguments, under a name that maps to its tool', () => {
    check((turn) => {
      const { calls } = find(turn, kind);
      const asked = turn.items.filter((item) => item.kind === 'call');
      const names = createFlatToolNames(turn.tools, 64);
      const isOffered = (call: CallItem) =>
        turn.tools.some((tool) => tool.kind !== 'hosted' && tool.name === call.name && tool.namespace === call.namespace);
      expect(calls.map(({ input }) => plain(input)).toSorted()).toEqual(asked.map((call) => plain(inputOf(call))).toSorted());
      for (const call of asked.filter(isOffered)) {
        const found = calls.filter(({ input }) => plain(input) === plain(inputOf(call))).map(({ name }) => names.fromWire(name));
        expect(found).toContainEqual({ form: call.form, name: call.name, namespace: call.namespace });
      }
    }, 300);
  });

  test('keeps each result, and each image and file', () => {
    check((turn) => {
      const { calls, results, shown } = find(turn, kind);
      const outputs = turn.items.filter((item) => item.kind === 'output');
      const texts = outputs.map(({ parts }) =>
        parts.map((part) => (part.kind === 'text' && (kind === 'gemini' || part.text.trim() !== '') ? part.text : '')).join(''),
      );
      expect(results.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
      expect(results.map(({ id }) => id).toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
      const seen = turn.items
        .flatMap((item) => ('parts' in item ? item.parts : []))
        .filter(({ kind: of }) => of === 'image' || of === 'file');
      expect(shown).toHaveLength(seen.length);
    }, 300);
  });
});

describe.each(pairs)('any turn of a $caller caller for a $kind upstream', ({ kind, caller }) => {
  test('goes upstream, or gets a 400 that names the field', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(legalTurns({ caller, upstream: 'any' }), (turn) => {
        const refusal = refusalOf(turn, kind);
        outcomes.add(refusal === null ? 'sent' : 'rejected');
        if (refusal !== null) expect(refusal).toMatchObject({ status: 400, param: expect.stringMatching(/^[a-z_]+/) });
      }),
      runs(400),
    );
    expect([...outcomes].toSorted()).toEqual(['rejected', 'sent']);
  });
});

/** The error that is thrown, or null; a body that is sent must fit the rules. */
function refusalOf(turn: CanonicalRequest, kind: Kind): unknown {
  try {
    expect(upstreams[kind].rules.safeParse(bodyOf(turn, kind)).error?.issues ?? []).toEqual([]);
    return null;
  } catch (thrown) {
    return thrown;
  }
}
