'use client';

import { usePathname } from 'next/navigation';
import { SiteLink } from '../ui/site-link.tsx';
import styles from './shell.module.css';
import { currentPage, ICON_PAGES } from './site-pages.ts';

/** Links to the visitor's settings and device. On phones they are in the menu. */
export function PageIcons() {
  const path = usePathname();
  return ICON_PAGES.map(({ href, name, icon: Icon }) => (
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
