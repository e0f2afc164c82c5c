'use client';

import { usePathname } from 'next/navigation';
import { SiteLink } from '../ui/site-link.tsx';
import styles from './main-nav.module.css';
import { currentPage, NAMED_PAGES } from './site-pages.ts';
import { ToolsMenu } from './tools-menu.tsx';

/** The menu of tools, and the pages named next to it where there is room. On phones the menu holds them all. */
export function MainNav() {
  const path = usePathname();
  return (
    <nav aria-label="Main" className={styles.nav}>
      <ToolsMenu path={path} />
      {NAMED_PAGES.map(({ href, name }) => (
        <SiteLink
          key={href}
          href={href}
          className={`${styles.way} ${styles.wide}`}
          aria-current={currentPage(href, path)}
        >
          {name}
        </SiteLink>
      ))}
    </nav>
  );
}
