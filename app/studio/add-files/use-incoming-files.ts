'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { parseLinks } from './links.ts';

declare global {
  interface Window {
    /** Files that the system opens with the installed app: only some browsers have it. */
    readonly launchQueue?: {
      setConsumer(consume: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void;
    };
  }
}

/** As in public/offline.js. */
const SHARED_CACHE = 'shared';
const SHARED_TEXT = '/shared/text';

const PROBLEMS: Readonly<Record<string, string>> = {
  'too-large': 'At most 100 files and 500 MB can be shared at a time. Share fewer, or choose them here.',
  failed: 'The shared files could not be read. Choose them here instead.',
};

interface IncomingHandlers {
  /** @param unreadable names of further files that the browser could not read */
  readonly onFiles: (files: readonly File[], unreadable: readonly string[]) => void;
  /** Receives links that no gesture on our pages gave: another page may have shared them. */
  readonly onLinks: (links: readonly string[]) => void;
}

/**
 * Accepts files that the system opens with the installed app, and what other apps share with it.
 * @returns why something shared did not arrive
 */
export function useIncomingFiles(handlers: IncomingHandlers): string | undefined {
  const [problem, setProblem] = useState<string>();
  const take = useEffectEvent((files: readonly File[], unreadable: readonly string[], text = '') => {
    const links = parseLinks(text);
    if (files.length + unreadable.length > 0) handlers.onFiles(files, unreadable);
    else if (links.length > 0) handlers.onLinks(links);
  });
  useEffect(() => {
    window.launchQueue?.setConsumer(async ({ files }) => {
      const read = await Promise.all(files.map((handle) => handle.getFile().catch(() => handle.name)));
      take(
        read.filter((file) => typeof file !== 'string'),
        read.filter((file) => typeof file === 'string'),
      );
    });
    const outcome = new URLSearchParams(location.search).get('shared');
    if (!outcome) return;
    // A reload shares nothing again.
    history.replaceState(null, '', location.pathname);
    setProblem(PROBLEMS[outcome]);
    takeShared().then(
      ({ files, text }) => take(files, [], text),
      () => setProblem(PROBLEMS.failed),
    );
  }, []);
  return problem;
}

/** Returns what the service worker received, once. */
async function takeShared(): Promise<{ files: File[]; text: string }> {
  const cache = await caches.open(SHARED_CACHE);
  const files: File[] = [];
  let text = '';
  for (const request of await cache.keys()) {
    const response = await cache.match(request);
    if (!response) continue;
    if (new URL(request.url).pathname === SHARED_TEXT) text = await response.text();
    else files.push(await readFile(response));
  }
  await caches.delete(SHARED_CACHE);
  return { files, text };
}

async function readFile(response: Response): Promise<File> {
  const { headers } = response;
  return new File([await response.blob()], decodeURIComponent(headers.get('file-name') ?? 'file'), {
    type: headers.get('content-type') ?? '',
    lastModified: Number(headers.get('file-time')),
  });
}
