import { readBuildFiles } from '../offline/build-files.ts';

export const dynamic = 'force-dynamic';

/** Returns the service worker's script: the files of this build and how to serve them (public/offline.js). */
export async function GET(): Promise<Response> {
  const script = `self.build = ${JSON.stringify(await readBuildFiles())};\nimportScripts('/offline.js');\n`;
  return new Response(script, {
    headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' },
  });
}
