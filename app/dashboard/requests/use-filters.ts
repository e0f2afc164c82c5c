'use client';

import { useSearchParams } from 'next/navigation';

const NAMES = ['status', 'method', 'day', 'search'] as const;

/** Filters of the log, each an empty text where it leaves nothing out. */
export type Filters = Readonly<Record<(typeof NAMES)[number], string>>;

/** Returns the filters that the address of the page names, and a function that changes some: Back finds them again. */
export function useFilters(): [Filters, (changes: Partial<Filters>) => void] {
  const given = useSearchParams();
  const filters = Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ''])) as Filters;
  const change = (changes: Partial<Filters>) => {
    const chosen = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(chosen).toString();
    window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`);
  };
  return [filters, change];
}
