import { SiteLink } from '../ui/site-link.tsx';
import styles from './shell.module.css';
import { FOOTER_PAGES, ICON_PAGES, NAMED_PAGES } from './site-pages.ts';

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
