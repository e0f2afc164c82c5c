import { SiteLink } from '../ui/site-link.tsx';
import { MainNav } from './main-nav.tsx';
import { PageIcons } from './page-icons.tsx';
import styles from './shell.module.css';
import { ThemeSwitch } from './theme-switch.tsx';
import { WalletLink } from './wallet-link.tsx';

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
