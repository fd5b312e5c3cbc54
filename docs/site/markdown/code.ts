/** Highlights code. Tokens have classes, because the pages' content security policy blocks inline styles. */
import { type BundledLanguage, createHighlighter, type Highlighter } from 'shiki';
import { escapeHtml } from '../html.ts';

const languages = [
  'bash',
  'javascript',
  'typescript',
  'python',
  'go',
  'json',
  'yaml',
  'http',
  'sql',
  'toml',
  'ini',
  'docker',
  'nginx',
] as const;
const names: Readonly<Record<string, BundledLanguage>> = {
  ...Object.fromEntries(languages.map((name) => [name, name])),
  js: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  sh: 'bash',
  shell: 'bash',
  jsonl: 'json',
  dockerfile: 'docker',
};
const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;

/** Writes code as HTML, and collects the colors for `css()`. */
export class Painter {
  readonly #highlighter: Highlighter;
  /** Class names by pair of colors (light and dark). */
  readonly #classes = new Map<string, string>();

  private constructor(highlighter: Highlighter) {
    this.#highlighter = highlighter;
  }

  static async open(): Promise<Painter> {
    return new Painter(await createHighlighter({ langs: [...languages], themes: Object.values(themes) }));
  }

  /** Writes a `<pre>` element that the keyboard can focus and scroll. */
  paint(code: string, language = ''): string {
    const text = code.replace(/\n$/, '');
    const lang = names[language];
    const lines = lang === undefined ? escapeHtml(text) : this.#tokens(text, lang);
    return `<pre tabindex="0" data-language="${escapeHtml(language || 'text')}"><code>${lines}</code></pre>`;
  }

  /** Has no time limit: on a busy machine, a limit would leave code uncolored and change the output. */
  #tokens(code: string, lang: BundledLanguage): string {
    const lines = this.#highlighter.codeToTokensWithThemes(code, { lang, themes, tokenizeTimeLimit: 0 });
    return lines.map((line) => line.map(({ content, variants }) => this.#span(content, variants)).join('')).join('\n');
  }

  #span(content: string, { light, dark }: Readonly<Record<string, { readonly color?: string } | undefined>>): string {
    const pair = `${light?.color ?? ''} ${dark?.color ?? ''}`.toLowerCase();
    if (content.trim() === '' || pair === ' ') return escapeHtml(content);
    if (!this.#classes.has(pair)) this.#classes.set(pair, `t${this.#classes.size}`);
    return `<span class="${this.#classes.get(pair)}">${escapeHtml(content)}</span>`;
  }

  close(): void {
    this.#highlighter.dispose();
  }

  /** Returns one rule for each pair of colors so far. */
  css(): string {
    return [...this.#classes]
      .map(([pair, name]) => {
        const [light, dark] = pair.split(' ');
        return `.${name}{color:light-dark(${light},${dark})}`;
      })
      .join('\n');
  }
}
