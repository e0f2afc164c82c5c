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
      <h1>You’re offline.</h1>
      <p>This page needs the internet. Connect, then reload.</p>
      <ReadyOffline />
      <div className="actions">
        <Link href="/" className="button">
          Home page
        </Link>
      </div>
    </div>
  );
}
