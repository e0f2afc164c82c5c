import type { Metadata } from 'next';
import Link from 'next/link';
import styles from '../docs.module.css';
import { GuideList } from '../guide.tsx';
import { readSections } from '../read-twin.ts';
import { searchDocs } from './search-docs.ts';

export const metadata: Metadata = { title: 'Search the docs', robots: { index: false } };

interface SearchPageProps {
  readonly searchParams: Promise<{ readonly q?: string | readonly string[] }>;
}

/** Sections of the docs that hold the words of a query. It works without scripts. */
export default async function SearchPage({ searchParams }: SearchPageProps) {
  const query = [(await searchParams).q ?? ''].flat().join(' ').trim();
  const matches = query === '' ? [] : searchDocs(await readSections(), query);
  return (
    <section className={styles.part} aria-labelledby="search">
      <div>
        <h1 id="search">Search the docs</h1>
        <p role="status">{describeMatches(query, matches.length)}</p>
      </div>
      <div>
        {query === '' ? (
          <GuideList />
        ) : (
          <ol className={styles.list}>
            {matches.map(({ href, page, title, excerpt }) => (
              <li key={href}>
                <Link href={href}>{title === page ? page : `${page}: ${title}`}</Link>
                <span>{excerpt}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function describeMatches(query: string, count: number): string {
  if (query === '') return 'Type words above, or choose a guide.';
  if (count === 0) return `Nothing has the words “${query}”. Try fewer or other words.`;
  return `${count} ${count === 1 ? 'section has' : 'sections have'} the words “${query}”.`;
}
