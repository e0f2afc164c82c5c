import { SiteLink } from '../ui/site-link.tsx';
import styles from './shell.module.css';
import { ICON_PAGES, NAMED_PAGES, QUALITY_PAGE } from './site-pages.ts';

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>Darkroom works on this device. Nothing you drop here is uploaded unless you ask for it.</p>
      <nav aria-label="More" className={styles.nav}>
        {[...NAMED_PAGES, ...ICON_PAGES, QUALITY_PAGE].map(({ href, name }) => (
          <SiteLink key={href} href={href}>
            {name}
          </SiteLink>
        ))}
      </nav>
    </footer>
  );
}
