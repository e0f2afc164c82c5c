import type { Metadata } from 'next';
import { openPage } from '../parts/find-own-account.ts';
import { Keys } from './keys.tsx';
import { Tokens, Uploads } from './tokens-and-uploads.tsx';

export const metadata: Metadata = { title: 'Keys', robots: 'noindex' };

export default async function KeysPage() {
  await openPage('/dashboard/keys');
  return (
    <>
      <h1>Keys</h1>
      <Keys />
      <Tokens />
      <Uploads />
    </>
  );
}
