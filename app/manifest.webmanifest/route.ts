import type { MetadataRoute } from 'next';
import { SUMMARY } from '../shell/site-pages.ts';
import icon192 from './icon-192.png';
import icon512 from './icon-512.png';
import maskable512 from './maskable-512.png';
import { openedTypes } from './opened-types.ts';

export const dynamic = 'force-static';

const GROUND = '#0f0d0c';

/** Returns the web app manifest: how Darkroom is installed, and which files systems may hand to it. */
export function GET(): Response {
  const types = openedTypes();
  const manifest: MetadataRoute.Manifest = {
    id: '/',
    name: 'Darkroom',
    short_name: 'Darkroom',
    description: SUMMARY,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: GROUND,
    icons: [
      { src: icon192.src, sizes: '192x192', type: 'image/png' },
      { src: icon512.src, sizes: '512x512', type: 'image/png' },
      { src: maskable512.src, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    // Files open in a window of their own: nothing in an open one is lost.
    launch_handler: { client_mode: 'navigate-new' },
    file_handlers: [{ action: '/', accept: types }],
    // The service worker receives what is shared (public/offline.js).
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [
          { name: 'files', accept: Object.entries(types).flatMap(([type, names]) => [type, ...names]) },
        ],
      },
    },
  };
  return new Response(JSON.stringify(manifest), { headers: { 'Content-Type': 'application/manifest+json' } });
}
