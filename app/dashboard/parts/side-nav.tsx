'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useIsPhone } from '../../ui/hooks.ts';
import { DASHBOARD_PAGES, findDashboardPage } from './dashboard-pages.ts';
import { usePermissions } from './permissions.tsx';
import styles from './side-nav.module.css';

interface SideNavProps {
  /** Whether the owner of the service is signed in. */
  readonly isServiceOwner: boolean;
}

/** Links between the pages of the dashboard: next to them, or above them in one row on phones. */
export function SideNav({ isServiceOwner }: SideNavProps) {
  const path = usePathname();
  const nav = useRef<HTMLElement>(null);
  const isPhone = useIsPhone();
  // On phones the row is wider than the screen, as it is once a phone is held upright again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another current link
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (!nav.current || !current) return;
    const middle = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
    nav.current.scrollLeft = firstWholeLink(nav.current, middle);
  }, [path, isPhone]);
  const permissions = usePermissions();
  const pages = DASHBOARD_PAGES.filter(
    ({ permission, within }) =>
      within === undefined && (permission === 'service' ? isServiceOwner : permissions.includes(permission)),
  );
  return (
    <nav ref={nav} className={styles.side} aria-label="Dashboard">
      {pages.map(({ href, name, icon: Icon }) => (
        <Link key={href} href={href} aria-current={getCurrent(href, path)}>
          <Icon size={18} strokeWidth={1.5} aria-hidden />
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Returns whether a link leads to the current page, or to the list that the page belongs to. */
function getCurrent(href: string, path: string): 'page' | 'true' | undefined {
  if (href === path) return 'page';
  const page = findDashboardPage(path);
  return (page.within ?? page.href) === href ? 'true' : undefined;
}

/** Returns where the row begins with the first link that lies whole behind a place: no word is cut at its start. */
function firstWholeLink(nav: HTMLElement, from: number): number {
  const [first, ...others] = [...nav.querySelectorAll('a')];
  if (!first || from <= first.offsetLeft) return 0;
  const whole = others.find(({ offsetLeft }) => offsetLeft >= from);
  return whole ? whole.offsetLeft - first.offsetLeft : nav.scrollWidth;
}
