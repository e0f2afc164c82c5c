'use client';

import { Moon, Sun } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { useAvailableUsd } from '../account/use-balance.ts';
import { useSignedInIfKnown } from '../account/use-signed-in.ts';
import { cutToCents } from '../ui/quantities.ts';
import { rememberChoice } from '../ui/remember-choice.ts';
import { SiteLink } from '../ui/site-link.tsx';
import { THEME_COOKIE, type Theme } from '../ui/theme.ts';
import styles from './main-nav.module.css';
import shellStyles from './shell.module.css';
import { currentPage, ICON_PAGES, NAMED_PAGES } from './site-pages.ts';
import { ToolsMenu } from './tools-menu.tsx';

/** Storage key of the API key that earlier versions stored, where any script of the page could read it. */
const FORMER_KEY = 'darkroom-api-key';

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

/** Links to the visitor's settings and device. On phones they are in the menu. */
export function PageIcons() {
  const path = usePathname();
  return ICON_PAGES.map(({ href, name, icon: Icon }) => (
    <SiteLink
      key={href}
      href={href}
      className={`button-icon ${shellStyles.wide}`}
      aria-label={name}
      title={name}
      aria-current={currentPage(href, path)}
    >
      <Icon strokeWidth={1.5} size={20} aria-hidden />
    </SiteLink>
  ));
}

/** Switches to the other theme, whether the current one was chosen or is the system's. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      className={shellStyles.themeSwitch}
      onClick={turn}
      aria-label="Switch between light and dark"
    >
      <Sun strokeWidth={1.5} size={20} className={shellStyles.sun} />
      <Moon strokeWidth={1.5} size={20} className={shellStyles.moon} />
    </button>
  );
}

function turn(): void {
  const root = document.documentElement;
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const seen = root.dataset.theme ?? (systemIsDark ? 'dark' : 'light');
  const next: Theme = seen === 'dark' ? 'light' : 'dark';
  root.dataset.theme = next;
  rememberChoice(THEME_COOKIE, next);
}

/**
 * Shows what can be spent and leads to the wallet of who is signed in. Anybody else is led to the sign-in, which is not
 * shown until it is known that the visitor is signed out.
 */
export function WalletLink() {
  const isSignedIn = useSignedInIfKnown();
  const availableUsd = useAvailableUsd(usePathname());
  useEffect(forgetFormerKey, []);
  if (!isSignedIn) {
    return (
      <SiteLink href="/sign-in" className={shellStyles.wallet} data-settled={isSignedIn !== undefined}>
        Sign in
      </SiteLink>
    );
  }
  return (
    <SiteLink href="/dashboard" className={shellStyles.wallet} data-known={availableUsd !== undefined}>
      <span>Wallet</span>
      {availableUsd !== undefined && <b className="facts">${cutToCents(availableUsd)}</b>}
    </SiteLink>
  );
}

function forgetFormerKey(): void {
  try {
    localStorage.removeItem(FORMER_KEY);
  } catch {
    // A browser that forbids storage has kept nothing.
  }
}
