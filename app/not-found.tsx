import type { Metadata } from 'next';
import Link from 'next/link';

export const metadata: Metadata = { title: 'No such page' };

export default function NotFoundPage() {
  return (
    <section className="message">
      <p className="facts">404</p>
      <h1>Nothing developed here.</h1>
      <p>There is no page at this address. It may have moved, or the address has a slip in it.</p>
      <Link href="/" className="button button-primary">
        To the start
      </Link>
    </section>
  );
}
