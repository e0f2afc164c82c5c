import { readOfflineBuild } from '../offline/build-files.ts';

export const dynamic = 'force-dynamic';

/** A build stays the same while it is served. */
let script: string | undefined;

/** Returns the service worker's script: this build, and how to cache and serve it (public/offline.js). */
export async function GET(): Promise<Response> {
  script ??= `self.build = ${JSON.stringify(await readOfflineBuild())};\nimportScripts('/offline.js');\n`;
  return new Response(script, {
    headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' },
  });
}
