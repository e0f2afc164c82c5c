import type { Metadata } from 'next';
import { openPage } from '../parts/find-own-account.ts';
import { TopUp } from './top-up.tsx';

export const metadata: Metadata = { title: 'Top up', robots: 'noindex' };

export default async function TopUpPage() {
  await openPage('/dashboard/top-up');
  return (
    <>
      <h1>Top up</h1>
      <TopUp />
    </>
  );
}
