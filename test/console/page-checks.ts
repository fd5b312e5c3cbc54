/** Looks at a page from inside: what is cut off, what cannot be seen in forced colours, which focus has no mark, and what moves. */
import type { Page } from 'playwright-core';

/** Whether an element takes part in the page: what is hidden on purpose (for screen readers, in closed menus) does not. */
const shared = `
  const boxOf = (element) => element.getBoundingClientRect();
  const isShown = (element) =>
    element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) &&
    boxOf(element).width > 1 && boxOf(element).height > 1 &&
    !element.closest('.hidden, .skip, [hidden]');
  const root = document.querySelector('dialog:modal') ?? document.body;
  const all = (selector) => [...root.querySelectorAll(selector)].filter(isShown);
  const describe = (element) => element.outerHTML.slice(0, 140);
  const parentsOf = (element) => { const found = []; for (let at = element.parentElement; at; at = at.parentElement) found.push(at); return found; };
`;
const inPage = (body: string) => `(() => { ${shared} ${body} })()`;

/** Texts that reach out of what shows them, and that no scrolling brings into sight. */
export const cutOff = inPage(`
  const scrolls = (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
  const clips = (element) => ['hidden', 'clip'].includes(getComputedStyle(element).overflowX);
  const isCut = (element) => {
    const { left, right } = boxOf(element);
    for (const parent of parentsOf(element)) {
      if (scrolls(parent)) return false;
      if (clips(parent) && right > boxOf(parent).right + 1) return true;
    }
    return left < -1 || right > innerWidth + 1;
  };
  const isShortened = (element) => clips(element) && element.scrollWidth > element.clientWidth + 1;
  return all('*').filter((element) => !element.closest('svg') && (isCut(element) || isShortened(element))).map(describe);
`);

/** Texts below the smallest of the four sizes: 12 px. */
export const tooSmall = inPage(`
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  return all('*').filter((element) => hasText(element) && parseFloat(getComputedStyle(element).fontSize) < 12).map(describe);
`);

/** Buttons and links whose text or icon has the colour of what is behind it. */
export const unseen = inPage(`
  const isClear = (color) => color === 'transparent' || color.endsWith(', 0)');
  const behind = (element) => {
    for (const at of [element, ...parentsOf(element)]) {
      const { backgroundColor } = getComputedStyle(at);
      if (!isClear(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const drawn = (element) => [element, ...element.querySelectorAll('svg')].map((one) => getComputedStyle(one).color);
  return all('a[href], button, summary, input, select, textarea').filter((element) => drawn(element).includes(behind(element))).map(describe);
`);

/** The chosen one of several that differs from the others by colours alone, which are gone. */
export const unmarked = inPage(`
  const marks = (element) => {
    const { outlineStyle, borderInlineStartWidth, textDecorationLine } = getComputedStyle(element);
    return [outlineStyle, borderInlineStartWidth, textDecorationLine].join();
  };
  const chosen = '[aria-pressed=true], nav [aria-current], [role=option][aria-selected=true], tr[data-open]';
  const others = '[aria-pressed=false], nav a:not([aria-current]), [role=option]:not([aria-selected=true]), tr[data-row]:not([data-open])';
  const othersOf = (element) => [...(element.closest('fieldset, nav, [role=listbox], tbody')?.querySelectorAll(others) ?? [])];
  return all(chosen).filter((element) => othersOf(element).some((other) => marks(other) === marks(element))).map(describe);
`);

/** What Tab reaches, and looks with the focus as it does without. */
export const withoutFocusMark = inPage(`
  const before = document.activeElement;
  const reached = all('a[href], button, summary, input, select, textarea, [tabindex="0"]').filter((element) => element.tabIndex >= 0 && !element.disabled);
  const outlineOf = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle === 'none' || parseFloat(outlineWidth) < 2 ? 'none' : [outlineStyle, outlineWidth, outlineColor].join();
  };
  const found = reached.filter((element) => {
    if (element === document.activeElement) element.blur();
    const without = outlineOf(element);
    element.focus({ preventScroll: true });
    return document.activeElement !== element || outlineOf(element) === 'none' || outlineOf(element) === without;
  });
  before?.focus();
  return found.map(describe);
`);

/** From the next address on, \`moved\` has what an animation or a transition was begun for. */
export async function recordMotion(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.moved = [];
    const note = ({ type, target }, durations) => {
      // What only appears after a while takes no time.
      if (!/^0s(, 0s)*$/.test(durations)) moved.push(type + ' ' + target.outerHTML.slice(0, 140));
    };
    addEventListener('animationstart', (event) => note(event, getComputedStyle(event.target).animationDuration), true);
    addEventListener('transitionrun', (event) => note(event, getComputedStyle(event.target).transitionDuration), true);
  `);
}

/** Families of typefaces that the page has loaded. */
export const loadedFonts = `document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))`;
