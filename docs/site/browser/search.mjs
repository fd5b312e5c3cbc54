/** Loads the search index, and shows the hits. */
import MiniSearch from 'minisearch';
import { options, passageOf, searchIn } from './search-options.mjs';

const kinds = {
  error: 'Error',
  operation: 'Operation',
  guide: 'Guide',
  field: 'Field',
  concept: 'Concept',
  reference: 'Reference',
  decision: 'Decision',
  changelog: 'Change',
  home: 'Page',
};

export async function openSearch(root) {
  const answer = await fetch(`${root}search.json`);
  if (!answer.ok) throw new Error(`search.json answered ${answer.status}`);
  const index = MiniSearch.loadJSON(await answer.text(), options);
  return { show: (query, list) => show(searchIn(index, query), { query, list, root }) };
}

function show(hits, { query, list, root }) {
  list.replaceChildren();
  list.hidden = query.trim() === '';
  if (list.hidden) return;
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.textContent = hits.length === 0 ? `No results for “${query}”.` : `${hits.length} found`;
  const items = document.createElement('ul');
  items.append(...hits.map((hit) => itemOf(hit, root)));
  list.append(status, items);
}

function itemOf(hit, root) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}${hit.to}`;
  const name = document.createElement('span');
  name.textContent = hit.title;
  const label = document.createElement('small');
  label.textContent = kinds[hit.kind] ?? '';
  const passage = document.createElement('span');
  passage.className = 'passage';
  passage.append(...passageOf(hit).map(drawPart));
  link.append(name, label, passage);
  item.append(link);
  return item;
}

function drawPart({ text, isMatched }) {
  if (!isMatched) return text;
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}
