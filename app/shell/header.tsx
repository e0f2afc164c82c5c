import Link from 'next/link';
import { TOOLS } from '../(studio)/tools/tools.ts';
import styles from './shell.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

export function Header() {
  return (
    <header className={styles.header}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <Link href="/" className={styles.wordmark}>
        <span className={styles.safelight} />
        Darkroom
      </Link>
      <nav aria-label="Main" className={styles.nav}>
        {Object.values(TOOLS).map((tool) => (
          <Link key={tool.slug} href={`/${tool.slug}`}>
            {tool.verb}
          </Link>
        ))}
        <Link href="/recent">Recent</Link>
        <Link href="/#prices" className={styles.wide}>
          Prices
        </Link>
        <Link href="/#api" className={styles.wide}>
          API
        </Link>
      </nav>
      <ThemeSwitch />
    </header>
  );
}
