import type { Metadata } from 'next';
import { SiteLink } from '../../ui/site-link.tsx';
import { openPage } from '../parts/find-own-account.ts';
import { Keys } from './keys.tsx';
import { Tokens, Uploads } from './tokens-and-uploads.tsx';

export const metadata: Metadata = { title: 'Keys', robots: 'noindex' };

export default async function KeysPage() {
  await openPage('/dashboard/keys');
  return (
    <>
      <h1>Keys</h1>
      <p>
        For your programs. New here? See the <SiteLink href="/docs/quickstart">quickstart</SiteLink>.
      </p>
      <Keys />
      <Tokens />
      <Uploads />
    </>
  );
}
