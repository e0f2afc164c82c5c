import './base.css';
import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { readEnv } from '../server/base/env.ts';
import { OfflineSupport } from './offline/offline-support.tsx';
import { Footer, Header } from './shell/site-frame.tsx';
import { SUMMARY } from './shell/site-pages.ts';
import { ShortcutsDialog } from './studio/shortcuts/shortcuts-dialog.tsx';
import { isTheme, THEME_COOKIE } from './ui/theme.ts';

const serif = localFont({
  src: '../node_modules/@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2',
  weight: '400',
  variable: '--font-serif',
  fallback: ['Georgia', 'serif'],
});

const sans = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-sans',
  fallback: ['system-ui', 'sans-serif'],
  // Text shows at once in a fallback of the same measures: the styles that it waits for come first.
  preload: false,
});

const mono = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-mono',
  fallback: ['ui-monospace', 'monospace'],
  preload: false,
});

/** Reads the public URL per request, so that one build serves any host. */
export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(readEnv().PUBLIC_URL),
    title: { default: 'Darkroom: images and sound, on your own device', template: '%s · Darkroom' },
    description: SUMMARY,
    applicationName: 'Darkroom',
    manifest: '/manifest.webmanifest',
    openGraph: { type: 'website', siteName: 'Darkroom', title: 'Darkroom', description: SUMMARY },
    twitter: { card: 'summary_large_image' },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: dark)', color: '#0f0d0c' },
    { media: '(prefers-color-scheme: light)', color: '#f6f1e7' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The chosen theme is in the first byte of HTML, so nothing flashes and no inline script is needed.
  const chosen = (await cookies()).get(THEME_COOKIE)?.value;
  const theme = isTheme(chosen) ? chosen : undefined;
  return (
    <html lang="en" className={`${serif.variable} ${sans.variable} ${mono.variable}`} data-theme={theme}>
      <body>
        <Header />
        <main id="main">{children}</main>
        <Footer />
        <OfflineSupport />
        <ShortcutsDialog />
      </body>
    </html>
  );
}
