/** Policy sees no wire format: what in billing, history, limits and the pipeline is a field or an event of a protocol, or searches text by a pattern. */
import ts from 'typescript';
import type { Source } from './sources.ts';

/** Rooms that ask a dialect by a named function for whatever they need of a body or an answer. */
const policyRooms = /^server\/(?:call|history|limits|money)\//;

/** Fields that protocols have and we have not: a policy that spells one reads a body by itself. */
const fields = new Set([
  ...['max_output_tokens', 'max_completion_tokens', 'max_tokens', 'max_tool_calls', 'service_tier', 'web_search_options', 'tool_choice'],
  ...['previous_response_id', 'item_reference', 'encrypted_content', 'prompt_cache_key', 'include', 'instructions', 'client_metadata'],
  ...['reasoning_effort', 'reasoning_content', 'choices', 'delta', 'finish_reason', 'tool_calls', 'output_index', 'sequence_number'],
  ...['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'output_text', 'input_text', 'stream_options', 'b64_json'],
  ...['messages', 'contents', 'candidatesTokenCount', 'generationConfig', 'message_delta', 'content_block_delta'],
]);
const words = new RegExp(`\\b(?:${[...fields].join('|')}|response\\.[a-z_.]+)\\b`);

/** What stays, each with its reason. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // The `authorization` header, which no dialect reads.
  'server/call/pipeline.ts': ['/^Bearer\\s+/i'],
  // Amounts of money as text.
  'server/money/dollars.ts': ['/^(-?)(\\d{1,10})(?:\\.(\\d{1,6}))?$/', '/(\\.\\d\\d\\d*?)0+$/'],
};

/** Every place that breaks the rule, as a sentence each. */
export function protocolNamesIn(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => policyRooms.test(path))
    .flatMap(({ path, text }) =>
      wrongIn(text, nameIn)
        .filter((found) => !allowed[path]?.includes(found))
        .map((found) => `${path} holds ${found}: ask the dialect by a named function`),
    );
}

function nameIn(node: ts.Node): string | undefined {
  if (ts.isRegularExpressionLiteral(node)) return node.text;
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') return node.getText();
  if (ts.isIdentifier(node)) return fields.has(node.text) ? node.text : undefined;
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
  return isText ? words.exec(node.text)?.[0] : undefined;
}

/** Kinds of upstreams whose protocol no caller speaks, and the rooms that a new one touches. */
const foreignKinds = new Set(['anthropic', 'gemini', 'openai-compatible']);
const roomsOfVendors = /^server\/(?:config|protocols)\//;

/** Every place of the server that names such a kind outside of these rooms. */
export function vendorNamesIn(sources: readonly Source[]): string[] {
  const vendorIn = (node: ts.Node) =>
    (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && foreignKinds.has(node.text) ? node.text : undefined;
  return sources
    .filter(({ path }) => path.startsWith('server/') && !roomsOfVendors.test(path))
    .flatMap(({ path, text }) =>
      wrongIn(text, vendorIn).map((name) => `${path} names ${name}: read the row of the vendor or of its protocol`),
    );
}

/** What the nodes of a source hold, its imports aside. */
function wrongIn(text: string, look: (node: ts.Node) => string | undefined): string[] {
  const wrong: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const found = look(node);
    if (found !== undefined) wrong.push(found);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return wrong;
}
