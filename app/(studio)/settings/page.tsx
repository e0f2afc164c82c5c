import type { Metadata } from 'next';
import Link from 'next/link';
import { bytes } from '../quantities.ts';
import { KEPT_BYTES_MAX } from '../recent/store.ts';
import { KeySettings } from './key-settings.tsx';
import styles from './settings.module.css';

export const metadata: Metadata = {
  title: 'Settings',
  description: 'The key for work on the server, and what this browser keeps.',
};

export default function SettingsPage() {
  return (
    <div className={styles.settings}>
      <header>
        <h1>Settings</h1>
        <p>They lie in this browser only.</p>
      </header>
      <section aria-labelledby="key">
        <h2 id="key">Key for the server</h2>
        <p>
          Everything that this device can do is free and needs no key. What it can’t do, our server can, for
          the <Link href="/#prices">price</Link> that the page shows before you agree.
        </p>
        <KeySettings />
      </section>
      <section aria-labelledby="kept">
        <h2 id="kept">What this browser keeps</h2>
        <dl>
          <div>
            <dt>Your key</dt>
            <dd>
              In local storage, until you forget it. It is sent to our server with what you run there, and to
              nobody else.
            </dd>
          </div>
          <div>
            <dt>Results</dt>
            <dd>
              The last {bytes(KEPT_BYTES_MAX)}, in a database of this browser:{' '}
              <Link href="/recent">see or forget them</Link>.
            </dd>
          </div>
          <div>
            <dt>How long runs took</dt>
            <dd>In local storage, as sums over sizes and times: they tell what is likely next time.</dd>
          </div>
          <div>
            <dt>The theme</dt>
            <dd>Light or dark, in a cookie, once you chose with the switch at the top.</dd>
          </div>
        </dl>
      </section>
    </div>
  );
}
