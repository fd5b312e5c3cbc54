/** The state diagrams of the repository's Markdown as images that take the colors of the page. */
import { instance, type Viz } from '@viz-js/viz';
import { escapeHtml } from '../html.ts';

const START = '[*]';

export class Artist {
  readonly #viz: Viz;

  private constructor(viz: Viz) {
    this.#viz = viz;
  }

  static async open(): Promise<Artist> {
    return new Artist(await instance());
  }

  /** `code`: a Mermaid block of `stateDiagram-v2`. The list of its arrows is in the text below each diagram. */
  draw(code: string, label: string): string {
    const names = new Map([...code.matchAll(/state "([^"]+)" as (\w+)/g)].map(([, name = '', id = '']) => [id, name] as const));
    const arrows = [...code.matchAll(/^\s*(\S+) --> (\S+)$/gm)].map(([, from = '', to = '']) => [from, to] as const);
    const svg = this.#viz.renderString(graphOf(names, arrows), { format: 'svg' });
    return `<div class="drawing" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${inPage(svg, label)}</div>`;
  }
}

function graphOf(names: ReadonlyMap<string, string>, arrows: readonly (readonly [string, string])[]): string {
  const boxes = [...names].map(([id, name]) => `${id} [label=${JSON.stringify(name)}]`);
  // A small circle for the start, and one for the end.
  const lines = arrows.map(([from, to]) => `${from === START ? 'begin' : from} -> ${to === START ? 'end' : to}`);
  const ends = 'begin [shape=circle, label="", width=0.15]; end [shape=doublecircle, label="", width=0.12];';
  const style = 'rankdir=TB; node [shape=box, style=rounded, fontname="monospace", fontsize=12, margin="0.4,0.12"];';
  return `digraph { ${style} ${ends} ${boxes.join('; ')}; ${lines.join('; ')} }`;
}

/** Without its head, and without its own colors and fonts. */
const inPage = (svg: string, label: string): string =>
  svg
    .slice(svg.indexOf('<svg'))
    .replace(/<!--.*?-->/gs, '')
    // The ground of the image.
    .replace(/<polygon[^>]*stroke="(?:none|transparent)"[^>]*\/>/, '')
    .replace(/<title>.*?<\/title>/gs, '')
    .replace(/ (?:fill|stroke|font-family|font-size|id|class|xmlns:xlink)="[^"]*"/g, '')
    .replace('<svg', `<svg role="img" aria-label="${escapeHtml(label)}"`)
    .replace(/\n+/g, '\n')
    .trim();
