/** Light, dark, or the system's theme. Stored in this browser. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const THEME_KEY = 'modelgate.theme';

export function readTheme(): Theme {
  const kept = localStorage.getItem(THEME_KEY);
  return themes.find((theme) => theme === kept) ?? 'auto';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') {
    localStorage.removeItem(THEME_KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(THEME_KEY, theme);
    document.documentElement.dataset.theme = theme;
  }
}
