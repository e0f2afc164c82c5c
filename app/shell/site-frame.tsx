import { type Env, readEnv } from '../../server/base/env.ts';
import { SiteLink } from '../ui/site-link.tsx';
import { MainNav, PageIcons, ThemeSwitch, WalletLink } from './header-controls.tsx';
import styles from './shell.module.css';
import { FOOTER_PAGES } from './site-pages.ts';

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
      <nav aria-label="More" className={styles.nav}>
        {FOOTER_PAGES.map(({ href, name }) => (
          <SiteLink key={href} href={href}>
            {name}
          </SiteLink>
        ))}
        {operatorPages(readEnv()).map(({ href, name }) => (
          <a key={href} href={href}>
            {name}
          </a>
        ))}
      </nav>
    </footer>
  );
}

/** Lists the pages of who runs the service, as far as they are set. */
function operatorPages({ OPERATOR_TERMS_URL, OPERATOR_PRIVACY_URL, OPERATOR_CONTACT }: Env) {
  const pages = { Terms: OPERATOR_TERMS_URL, Privacy: OPERATOR_PRIVACY_URL, Contact: OPERATOR_CONTACT };
  return Object.entries(pages).flatMap(([name, href]) => (href === undefined ? [] : [{ name, href }]));
}
