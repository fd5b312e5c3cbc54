/** The last form in this browser tab, for the key that was used. Never contains images or keys. */
import { parseFields, type Tab } from './frames.ts';

const getStorageKey = (owner: string, tab: Tab): string => `modelgate-playground ${owner} ${tab}`;

const first: Readonly<Record<Tab, object>> = {
  responses: { model: 'gpt-5.4', input: 'Why is the sky blue?', stream: true, store: false },
  chat: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Why is the sky blue?' }], stream: true, store: false },
  images: { model: 'gpt-image-2', prompt: 'A lighthouse in the fog', size: '1024x1024', quality: 'low' },
};

const write = (body: object): string => JSON.stringify(body, null, 2);

/** `model`: from the URL, instead of the saved one. Empty without one. */
export function readForm(owner: string, tab: Tab, model: string): string {
  const saved = sessionStorage.getItem(getStorageKey(owner, tab)) ?? write(first[tab]);
  return model === '' ? saved : write({ ...(parseFields(saved) ?? first[tab]), model });
}

export function saveForm(owner: string, tab: Tab, text: string): void {
  if (text.length > 100_000 || text.includes('data:')) return;
  sessionStorage.setItem(getStorageKey(owner, tab), text);
}
