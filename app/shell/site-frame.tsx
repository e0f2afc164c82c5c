import { SiteLink } from '../ui/site-link.tsx';
import { MainNav, PageIcons, ThemeSwitch, WalletLink } from './header-controls.tsx';
import styles from './shell.module.css';
import { FOOTER_PAGES, ICON_PAGES, NAMED_PAGES } from './site-pages.ts';

/** One line: the name, the ways through the site, and what is the visitor's own. */
export function Header() {
  return (
    <header className={styles.header}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <SiteLink href="/" className={styles.wordmark}>
        <span className={styles.safelight} />
        Darkroom
      </SiteLink>
      <MainNav />
      <div className={styles.own}>
        <WalletLink />
        <PageIcons />
        <ThemeSwitch />
      </div>
    </header>
  );
}

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>Darkroom works on this device. Nothing you drop here is uploaded unless you ask for it.</p>
      <nav aria-label="More" className={styles.nav}>
        {[...NAMED_PAGES, ...ICON_PAGES, ...FOOTER_PAGES].map(({ href, name }) => (
          <SiteLink key={href} href={href}>
            {name}
          </SiteLink>
        ))}
      </nav>
    </footer>
  );
}
