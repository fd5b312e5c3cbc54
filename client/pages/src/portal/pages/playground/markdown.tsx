/** Renders a small subset of Markdown as elements, never as HTML: headings, lists, code, emphasis, and http(s) links. No images. */
import type { ReactNode } from 'react';

export const Markdown = ({ text }: { readonly text: string }) => <div className="play-text">{parseBlocks(text).map(renderBlock)}</div>;

interface Block {
  readonly kind: 'code' | 'list' | 'numbers' | 'heading' | 'text';
  readonly lines: readonly string[];
}

/** A fence is a block until it's closed or the text ends, because the response may still be streaming. */
function parseBlocks(text: string): readonly Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) {
      isCode = !isCode;
      if (isCode) blocks.push({ kind: 'code', lines: [] });
      isOpen = isCode;
    } else if (!isCode && line.trim() === '') isOpen = false;
    else {
      const kind = isCode ? 'code' : getBlockKind(line);
      const last = blocks.at(-1);
      if (isOpen && last?.kind === kind && kind !== 'heading') last.lines.push(line);
      else blocks.push({ kind, lines: [line] });
      isOpen = true;
    }
  }
  return blocks;
}

function getBlockKind(line: string): Block['kind'] {
  if (/^#{1,6} /.test(line)) return 'heading';
  if (/^\s*[-*+] /.test(line)) return 'list';
  return /^\s*\d+[.)] /.test(line) ? 'numbers' : 'text';
}

function renderBlock({ kind, lines }: Block, key: number): ReactNode {
  if (kind === 'code')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
      <pre key={key} className="code" tabIndex={0}>
        {lines.join('\n')}
      </pre>
    );
  if (kind === 'heading')
    return (
      <p key={key}>
        <strong>{renderLine(lines.join(' ').replace(/^#+ /, ''))}</strong>
      </p>
    );
  if (kind === 'text') return <p key={key}>{renderLine(lines.join('\n'))}</p>;
  const items = lines.map((line, place) => <li key={`${place} ${line}`}>{renderLine(line.replace(/^\s*(?:[-*+]|\d+[.)]) /, ''))}</li>);
  return kind === 'list' ? <ul key={key}>{items}</ul> : <ol key={key}>{items}</ol>;
}

const INLINE = /(`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\s][^*\n]*\*|\[[^\]\n]+\]\([^)\s]+\))/;

function renderLine(line: string): ReactNode[] {
  return line.split(INLINE).map((piece, place) => renderPiece(piece, `${place} ${piece}`));
}

function renderPiece(piece: string, key: string): ReactNode {
  if (/^`.+`$/.test(piece)) return <code key={key}>{piece.slice(1, -1)}</code>;
  if (/^\*\*.+\*\*$/.test(piece)) return <strong key={key}>{piece.slice(2, -2)}</strong>;
  if (/^\*.+\*$/.test(piece)) return <em key={key}>{piece.slice(1, -1)}</em>;
  const [, name, address] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
  if (name === undefined || address === undefined || !/^https?:\/\//i.test(address)) return piece;
  return (
    <a key={key} href={address} rel="noopener noreferrer" target="_blank">
      {name}
    </a>
  );
}
