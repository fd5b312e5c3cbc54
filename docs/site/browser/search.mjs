/** Loads the search index, and shows the hits. */
import MiniSearch from 'minisearch';
import { options, searchIn } from './search-options.mjs';

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

function itemOf({ title, to, kind }, root) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}${to}`;
  const name = document.createElement('span');
  name.textContent = title;
  const label = document.createElement('small');
  label.textContent = kinds[kind] ?? '';
  link.append(name, label);
  item.append(link);
  return item;
}
