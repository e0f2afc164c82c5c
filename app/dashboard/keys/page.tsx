import type { Metadata } from 'next';
import { Keys } from '../parts/keys.tsx';

export const metadata: Metadata = { title: 'Keys', robots: 'noindex' };

export default function KeysPage() {
  return (
    <>
      <h1>Keys</h1>
      <Keys />
    </>
  );
}
