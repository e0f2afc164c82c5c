import styles from './shell.module.css';
import { SiteLink } from './site-link.tsx';
import { NAMED_PAGES, OWN_PAGES } from './site-pages.ts';

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>Darkroom works on this device. Nothing you drop here is uploaded unless you ask for it.</p>
      <nav aria-label="More" className={styles.nav}>
        {[...NAMED_PAGES, ...OWN_PAGES].map(({ href, name }) => (
          <SiteLink key={href} href={href}>
            {name}
          </SiteLink>
        ))}
      </nav>
    </footer>
  );
}
