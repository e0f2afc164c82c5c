import Link from 'next/link';
import styles from './sections.module.css';

const FACTS = [
  {
    title: 'Your browser does the work',
    text: 'The program comes to the picture, not the picture to a server. It runs in workers beside the page, on as many cores as your device can spare.',
  },
  {
    title: 'Nothing is sent',
    text: 'The pages of the studio are barred from talking to any other site. Open your browser’s network panel and watch, or pull the cable: it goes on working.',
  },
  {
    title: 'Nothing is kept elsewhere',
    text: 'Files are worked on beside the page, by workers that end with their work: the memory comes back. Recent results stay in this browser until you forget them.',
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
