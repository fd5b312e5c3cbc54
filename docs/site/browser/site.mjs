/** Enhances the pages with JavaScript: the gateway's own URL in samples, copy buttons, the menu, and search. */
const root = document.documentElement.dataset.root;

/** Redirects old URLs of the reference: `#tag/chat/createChatCompletion` and `#model/Name`. */
function followOldAddress() {
  const operation = /^#tag\/[\w-]+\/(\w+)/.exec(location.hash)?.[1];
  if (operation !== undefined) location.replace(`${root}reference/${operation}`);
}

/** Redirects an address that moved: of a section that this page doesn't have, or of a page. */
async function followMoved() {
  const page = location.pathname.slice(new URL(root, location.href).pathname.length);
  const isSection = location.hash !== '' && document.getElementById(decodeURIComponent(location.hash.slice(1))) === null;
  if (!isSection && document.querySelector('.nearest') === null) return;
  const answer = await fetch(`${root}moved.json`);
  const moved = answer.ok ? await answer.json() : {};
  const to = [`${page}${location.hash}`, page].find((address) => Object.hasOwn(moved, address));
  if (to !== undefined) location.replace(`${root}${moved[to]}`);
}

/** Opens the field that the URL links to, and all sections that contain it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  const boxes = [target.querySelector(':scope > details')];
  for (let box = target.closest('details'); box; box = box.parentElement.closest('details')) boxes.push(box);
  const folded = boxes.filter((box) => box && !box.open);
  for (const box of folded) box.open = true;
  if (folded.length > 0) target.scrollIntoView();
}

/** On narrow screens, the menu covers the page, so it closes when a link is followed. */
function closeMenuAfterUse() {
  const menu = document.querySelector('#menu');
  menu.addEventListener('click', (event) => {
    if (event.target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
  });
}

async function nameThisGateway() {
  const answer = await fetch(`${root}gateway.json`);
  const { base, pages } = answer.ok ? await answer.json() : {};
  if (typeof pages === 'string') linkPages(`${root}${pages}`);
  if (typeof base !== 'string') return;
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.data.includes('http://127.0.0.1:8080')) node.data = node.data.replaceAll('http://127.0.0.1:8080', base);
  }
}

/** Links to the console or the portal, if this gateway serves one. */
function linkPages(address) {
  const link = document.createElement('a');
  link.className = 'to-pages';
  link.href = address;
  link.textContent = address.endsWith('console/') ? 'Console' : 'Portal';
  document.querySelector('form.search').after(link);
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    const box = document.createElement('div');
    box.className = 'code';
    block.replaceWith(box);
    box.append(block, button);
  }
}

/** Shows samples in the language that the reader chose last. */
function rememberLanguage() {
  const samples = [...document.querySelectorAll('details.sample')];
  const chosen = read('language');
  const found = samples.find((sample) => sample.dataset.language === chosen);
  if (found) found.open = true;
  for (const sample of samples)
    sample.addEventListener('toggle', () => {
      if (sample.open) write('language', sample.dataset.language);
    });
}

/** Returns null if the browser blocks storage. */
function read(name) {
  try {
    return localStorage.getItem(`modelgate-docs-${name}`);
  } catch {
    return null;
  }
}
function write(name, value) {
  try {
    localStorage.setItem(`modelgate-docs-${name}`, value);
  } catch {
    // Without storage, the choice lasts only until the next page.
  }
}

let searching;
const loadSearch = () => (searching ??= import('./search.mjs').then(({ openSearch }) => openSearch(root)));

function openSearchField() {
  const form = document.querySelector('form.search');
  const field = form.querySelector('input');
  const list = document.querySelector('#hits');
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  field.addEventListener('focus', () => void loadSearch());
  async function showHits() {
    const search = await loadSearch();
    search.show(field.value, list);
  }
  field.addEventListener('input', showHits);
  field.addEventListener('click', showHits);
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]') !== null;
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      field.focus();
    }
    if (event.key === 'Escape' && !list.hidden) {
      list.hidden = true;
      field.focus();
    }
    if (event.key === 'ArrowDown' && !list.hidden) move(event, form, 1);
    if (event.key === 'ArrowUp' && !list.hidden) move(event, form, -1);
  });
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) list.hidden = true;
  });
}

/** Moves the focus among the field and the hits below it. */
function move(event, form, step) {
  const stops = [...form.querySelectorAll('input, a')];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

followOldAddress();
followMoved().catch(() => undefined);
openTarget();
addEventListener('hashchange', openTarget);
closeMenuAfterUse();
addCopyButtons();
rememberLanguage();
openSearchField();
nameThisGateway().catch(() => undefined);
