'use client';

import { usePathname } from 'next/navigation';
import styles from './shell.module.css';
import { SiteLink } from './site-link.tsx';
import { currentPage, OWN_PAGES } from './site-pages.ts';

/** Links to the visitor's settings and device. On phones they are in the menu. */
export function PageIcons() {
  const path = usePathname();
  return OWN_PAGES.map(({ href, name, icon: Icon }) => (
    <SiteLink
      key={href}
      href={href}
      className={`button-icon ${styles.wide}`}
      aria-label={name}
      title={name}
      aria-current={currentPage(href, path)}
    >
      <Icon strokeWidth={1.5} size={20} aria-hidden />
    </SiteLink>
  ));
}
