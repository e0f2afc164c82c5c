'use client';

import { useEffect, useRef, useState } from 'react';
import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { isServerError, type ServerError } from '../failures/server-error.ts';
import { fetchLink, limitLinks } from './links.ts';

export interface Links {
  /** Links that wait for the visitor's click: they were not requested yet. */
  readonly offered: readonly string[];
  /** Links that are being fetched. */
  readonly pending: readonly string[];
  /** Reasons why links gave no file; one sentence each. */
  readonly problems: readonly string[];
  /** Fetches links that the visitor gave. */
  addLinks(urls: readonly string[]): void;
  /** Offers links that came from elsewhere. Any page can share some, so nothing is fetched before a click. */
  offerLinks(urls: readonly string[]): void;
  /** Ends the fetches, or discards what is offered. */
  cancel(): void;
}

/** Fetches the files behind links, several at once, and passes on all that succeeded. */
export function useLinks(onFiles: (files: readonly File[]) => void): Links {
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [pending, setPending] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);

  const take = async (given: readonly string[]) => {
    const { links: urls, problem } = limitLinks(given);
    work.current?.abort();
    const started = new AbortController();
    work.current = started;
    const { signal } = started;
    setOffered([]);
    setPending(urls);
    const overflow = problem === undefined ? [] : [problem];
    setProblems(overflow);
    const settled = await Promise.allSettled(urls.map((url) => fetchLink(url, signal)));
    if (signal.aborted) return;
    setPending([]);
    const failed = settled.flatMap((each, at) =>
      each.status === 'rejected' ? [getProblem(urls[at], each.reason)] : [],
    );
    setProblems([...overflow, ...failed]);
    const files = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (files.length > 0) onFiles(files);
  };
  return {
    offered,
    pending,
    problems,
    addLinks: (urls) => void take(urls),
    offerLinks(urls) {
      const { links, problem } = limitLinks(urls);
      setOffered(links);
      setProblems(problem === undefined ? [] : [problem]);
    },
    cancel() {
      work.current?.abort();
      setOffered([]);
      setPending([]);
    },
  };
}

/** Failures of the server that mean something else for a link than for a run. */
const NO_MEDIA =
  'Our server found no image, video or sound there that it could fetch. Check the link, or save the file and add it here.';
const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request: NO_MEDIA,
  unfetchable: NO_MEDIA,
  unsupported: NO_MEDIA,
  too_large: 'The file is too large for our server to fetch. Save it and add it here.',
  forbidden:
    'Our server fetches links only for a page that keeps its cookie. Allow cookies and reload the page, or save the file and add it here.',
};

/** Turns the failure of a link into sentences about it. */
function getProblem(url: string | undefined, reason: unknown): string {
  const words = isServerError(reason) ? WORDS[(reason as ServerError).code] : undefined;
  return `${url}: ${words ?? describeFailure(reason)}`;
}
