import type { Metadata } from 'next';
import Link from 'next/link';
import { ReadyOffline } from '../../offline/work-offline.tsx';

export const metadata: Metadata = {
  title: 'Offline',
  description: 'What Darkroom can do without a network.',
  robots: { index: false },
};

/** Stands in for any page that is not cached while there is no network. */
export default function OfflinePage() {
  return (
    <div className="message">
      <h1>This page needs a network.</h1>
      <p>It is not stored in this browser yet. Connect to the internet, then reload.</p>
      <ReadyOffline />
      <div className="actions">
        <Link href="/" className="button">
          Home page
        </Link>
      </div>
    </div>
  );
}
