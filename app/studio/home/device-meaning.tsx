import Link from 'next/link';
import styles from './sections.module.css';

const FACTS = [
  {
    title: 'Your browser does the work',
    text: 'Code runs in your browser, in Web Workers on your device’s own cores. Files are never uploaded.',
  },
  {
    title: 'Nothing is sent',
    text: 'The studio’s pages cannot contact any other site. Open your browser’s network panel and watch, or go offline: it keeps working.',
  },
  {
    title: 'Nothing is stored elsewhere',
    text: 'Files are processed in Web Workers that exit when done and free their memory. Recent results stay in this browser until you delete them.',
  },
] as const;

export function DeviceMeaning() {
  return (
    <section aria-labelledby="device">
      <h2 id="device">What “on this device” means</h2>
      <ul className={styles.columns}>
        {FACTS.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        See <Link href="/device">what this device can do</Link>.
      </p>
    </section>
  );
}
