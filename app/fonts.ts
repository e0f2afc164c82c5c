import localFont from 'next/font/local';

export const serif = localFont({
  src: '../node_modules/@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2',
  weight: '400',
  variable: '--font-serif',
  fallback: ['Georgia', 'serif'],
});

export const sans = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans',
  fallback: ['system-ui', 'sans-serif'],
  // Text shows at once in a fallback of the same measures: the styles that it waits for come first.
  preload: false,
});

export const mono = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-mono',
  fallback: ['ui-monospace', 'monospace'],
  preload: false,
});
