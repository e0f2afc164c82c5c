import Link from 'next/link';
import styles from './shell.module.css';

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>Darkroom works on this device. Nothing you drop here is uploaded unless you ask for it.</p>
      <nav aria-label="More" className={styles.nav}>
        <Link href="/device">This device</Link>
        <Link href="/recent">Recent results</Link>
        <Link href="/settings">Settings</Link>
        <Link href="/#prices">Prices</Link>
        <Link href="/#api">API</Link>
      </nav>
    </footer>
  );
}
