/** Icons of 16 × 16 pixels, drawn with lines. They stand beside text and are hidden from screen readers. */
const shapes = {
  overview: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8.5h4.5v5H9zM2.5 11h4.5v2.5H2.5z',
  activity: 'M2 13.5h12M4 11V8M7 11V4M10 11V6.5M13 11V2.5',
  requests: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  accounts: 'M8 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM2.8 13.7c.4-2.6 2.5-4 5.2-4s4.800 1.400 5.200 4',
  keys: 'M10.300 9.200a3.400 3.400 0 1 0-3.300-2.600L2.500 11v2.500h2.700v-1.700h1.600v-1.600l1.300-1.300c.6.2 1.400.3 2.200.3zM11 5.400v.1',
  models: 'M8 2 13.500 5v6L8 14l-5.500-3V5zM2.500 5 8 8l5.500-3M8 8v6',
  upstreams: 'M8 13.500v-11M4 6.500l4-4 4 4M3 13.500h10',
  limits: 'M2.500 11.500a5.700 5.700 0 1 1 11 0M8 10.500l2.600-3.700M8 10.600v-.1',
  audit: 'M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2.500',
  settings: 'M2.500 5h6M11.500 5h2M10 3.500v3M2.500 11h2M7.500 11h6M6 9.500v3',
  catalog: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  playground: 'M3 3.500 7 8l-4 4.500M8.500 12.500H13',
  usage: 'M2.500 12.500 6 8l2.500 2.500 5-6.500',
  start: 'M4.500 2.800 13 8l-8.500 5.200z',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300 13.500 13.500',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  check: 'M3 8.500l3.300 3.300L13 4.500',
  close: 'M3.500 3.500l9 9M12.500 3.500l-9 9',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  plus: 'M8 3v10M3 8h10',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4',
  warning: 'M8 2.500 14.300 13.500H1.700zM8 6.500v3.300M8 11.700v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.500v3.500M8 5.200v.1',
  print: 'M4.500 6V2.500h7V6M4.500 11.500h-2V6h11v5.500h-2M4.500 9.500h7v4h-7z',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.200 6.300a1.800 1.800 0 1 1 2.600 1.700c-.6.3-.8.6-.8 1.200M8 11.200v.1',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.800V8l2.200 1.700',
  person: 'M8 7.500a2.600 2.600 0 1 0 0-5.200 2.600 2.600 0 0 0 0 5.200zM2.800 13.700c.4-2.600 2.500-4 5.200-4s4.800 1.400 5.200 4',
  theme: 'M8 13.500a5.500 5.500 0 1 0 0-11zM8 2.500a5.500 5.500 0 1 0 0 11',
  external: 'M6 3.500H3v9.500h9.500v-3M9 2.500h4.500V7M13.500 2.500 7.500 8.500',
  link: 'M6.700 9.300a2.600 2.600 0 0 0 3.700 0l2.300-2.300A2.600 2.600 0 0 0 9 3.300l-.9.9M9.300 6.700a2.600 2.600 0 0 0-3.700 0L3.300 9A2.600 2.600 0 0 0 7 12.700l.9-.9',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.1M6.500 6.500h.1M9 6.500h.1M11.500 6.500h.1M4.500 9.500h7',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={shapes[name]} fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
