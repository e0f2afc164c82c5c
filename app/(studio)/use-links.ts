'use client';

import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../models/errors.ts';
import { fetchLink } from './links.ts';

export interface Links {
  /** Those that are being fetched. */
  readonly pending: readonly string[];
  /** Why the last ones gave no file; a sentence for each. */
  readonly problems: readonly string[];
  take(urls: readonly string[]): void;
  cancel(): void;
}

/** Gets the files behind links, several at once, and hands on those that could be had, together. */
export function useLinks(onFiles: (files: readonly File[]) => void): Links {
  const [pending, setPending] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);

  const take = async (urls: readonly string[]) => {
    work.current?.abort();
    const started = new AbortController();
    work.current = started;
    const { signal } = started;
    setPending(urls);
    setProblems([]);
    const settled = await Promise.allSettled(urls.map((url) => fetchLink(url, signal)));
    if (signal.aborted) return;
    setPending([]);
    setProblems(
      settled.flatMap((each, at) => (each.status === 'rejected' ? [problemOf(urls[at], each.reason)] : [])),
    );
    const files = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (files.length > 0) onFiles(files);
  };
  return {
    pending,
    problems,
    take: (urls) => void take(urls),
    cancel() {
      work.current?.abort();
      setPending([]);
    },
  };
}

/** The server names the field at fault, which is the link itself here. */
function problemOf(url: string | undefined, reason: unknown): string {
  const message = messageOf(reason);
  return `${url}: ${message.replace(/^url: /, '')}`;
}
