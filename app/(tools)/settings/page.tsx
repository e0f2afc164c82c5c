import type { Metadata } from 'next';
import Link from 'next/link';
import { STORED_BYTES_MAX } from '../../studio/runs/stored-results.ts';
import { formatBytes } from '../../ui/quantities.ts';
import styles from './settings.module.css';
import { SharperSettings } from './sharper-settings.tsx';

export const metadata: Metadata = {
  title: 'Settings',
  description: 'Models, and the data that this browser stores.',
};

export default function SettingsPage() {
  return (
    <div className={styles.settings}>
      <header>
        <h1>Settings</h1>
        <p>Stored only in this browser.</p>
      </header>
      <section aria-labelledby="models">
        <h2 id="models">Models</h2>
        <p>Larger models find subjects better. They are downloaded only when you allow it.</p>
        <SharperSettings />
      </section>
      <section aria-labelledby="kept">
        <h2 id="kept">Data in this browser</h2>
        <dl>
          <div>
            <dt>Your sign-in</dt>
            <dd>
              In a cookie that no script can read, until you sign out, for 30 days at most. Only runs on our
              server need it.
            </dd>
          </div>
          <div>
            <dt>Results</dt>
            <dd>
              The last {formatBytes(STORED_BYTES_MAX)}, in this browser’s database:{' '}
              <Link href="/recent">see or delete them</Link>.
            </dd>
          </div>
          <div>
            <dt>Run times</dt>
            <dd>In local storage, as sums over sizes and times, to estimate later runs.</dd>
          </div>
          <div>
            <dt>Links</dt>
            <dd>
              A random number in a cookie for a day, once our server fetches a link for you, so that no other
              site can ask it to.
            </dd>
          </div>
          <div>
            <dt>Your choice about models</dt>
            <dd>In local storage, once you say whether a sharper model may be kept.</dd>
          </div>
          <div>
            <dt>The theme</dt>
            <dd>Light or dark, in a cookie, once you use the switch at the top.</dd>
          </div>
        </dl>
      </section>
    </div>
  );
}
