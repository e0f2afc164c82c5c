'use client';

import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import styles from './docs.module.css';
import { GUIDE_GROUPS } from './guides.ts';

/** The guides by group, of which the current one is open: next to the text, or above it behind a button on narrow windows. */
export function GuideNav() {
  const path = usePathname();
  // The page that it was opened on: it closes with the next one.
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === path;
  return (
    <nav className={styles.side} aria-label="Guides" data-open={isOpen}>
      <search>
        <form action="/docs/search">
          <input
            type="search"
            name="q"
            aria-label="Search the docs"
            placeholder="Search the docs"
            maxLength={200}
            required
          />
        </form>
      </search>
      <button
        type="button"
        className="button"
        aria-expanded={isOpen}
        aria-controls="guides"
        onClick={() => setOpenOn(isOpen ? undefined : path)}
      >
        All guides
        <ChevronDown size={18} strokeWidth={1.5} aria-hidden />
      </button>
      <div id="guides">
        {GUIDE_GROUPS.map(({ title, guides }) => (
          <details key={title} open={guides.some(({ href }) => href === path)}>
            <summary>{title}</summary>
            <ul>
              {guides.map(({ href, name }) => (
                <li key={href}>
                  <Link href={href} aria-current={href === path ? 'page' : undefined}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </nav>
  );
}
