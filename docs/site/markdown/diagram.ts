/** Draws state diagrams in Markdown as SVG images in the page's colors. */
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

  /** `code` is a Mermaid block of type `stateDiagram-v2`. The text below each diagram lists the arrows, so the label is enough. */
  draw(code: string, label: string): string {
    const names = new Map([...code.matchAll(/state "([^"]+)" as (\w+)/g)].map(([, name = '', id = '']) => [id, name] as const));
    const arrows = [...code.matchAll(/^\s*(\S+) --> (\S+)$/gm)].map(([, from = '', to = '']) => [from, to] as const);
    const svg = this.#viz.renderString(graphOf(names, arrows), { format: 'svg' });
    return `<div class="drawing" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${inPage(svg, label)}</div>`;
  }
}

function graphOf(names: ReadonlyMap<string, string>, arrows: readonly (readonly [string, string])[]): string {
  const boxes = [...names].map(([id, name]) => `${id} [label=${JSON.stringify(name)}]`);
  // Mermaid writes start and end as `[*]`; here each gets its own small circle.
  const lines = arrows.map(([from, to]) => `${from === START ? 'begin' : from} -> ${to === START ? 'end' : to}`);
  const ends = 'begin [shape=circle, label="", width=0.15]; end [shape=doublecircle, label="", width=0.12];';
  const style = 'rankdir=TB; node [shape=box, style=rounded, fontname="monospace", fontsize=12, margin="0.4,0.12"];';
  return `digraph { ${style} ${ends} ${boxes.join('; ')}; ${lines.join('; ')} }`;
}

/** Removes the XML head, colors, and fonts, so that the page's style applies. */
const inPage = (svg: string, label: string): string =>
  svg
    .slice(svg.indexOf('<svg'))
    .replace(/<!--.*?-->/gs, '')
    // The background of the image.
    .replace(/<polygon[^>]*stroke="(?:none|transparent)"[^>]*\/>/, '')
    .replace(/<title>.*?<\/title>/gs, '')
    .replace(/ (?:fill|stroke|font-family|font-size|id|class|xmlns:xlink)="[^"]*"/g, '')
    .replace('<svg', `<svg role="img" aria-label="${escapeHtml(label)}"`)
    .replace(/\n+/g, '\n')
    .trim();
