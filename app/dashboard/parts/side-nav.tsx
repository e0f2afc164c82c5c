'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import styles from './dashboard.module.css';
import { DASHBOARD_PAGES } from './dashboard-pages.ts';

interface SideNavProps {
  /** Whether the owner of the service is signed in. */
  readonly isOwner: boolean;
}

/** Links between the pages of the dashboard: beside them, or above them in one row on phones. */
export function SideNav({ isOwner }: SideNavProps) {
  const path = usePathname();
  const pages = DASHBOARD_PAGES.filter(({ isOwners }) => isOwner || !isOwners);
  return (
    <nav className={styles.side} aria-label="Dashboard">
      {pages.map(({ href, name, icon: Icon }) => (
        <Link key={href} href={href} aria-current={href === path ? 'page' : undefined}>
          <Icon size={18} strokeWidth={1.5} aria-hidden />
          {name}
        </Link>
      ))}
    </nav>
  );
}
