import type { Metadata } from 'next';
import { SiteLink } from './ui/site-link.tsx';

export const metadata: Metadata = { title: 'No such page' };

export default function NotFoundPage() {
  return (
    <section className="message">
      <p className="facts">404</p>
      <h1>Nothing developed here.</h1>
      <p>This page does not exist. It may have moved, or the URL has a typo.</p>
      <SiteLink href="/" className="button button-primary">
        Home page
      </SiteLink>
    </section>
  );
}
