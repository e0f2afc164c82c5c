import type { Metadata } from 'next';
import { TopUp } from './top-up.tsx';

export const metadata: Metadata = { title: 'Top up', robots: 'noindex' };

export default function TopUpPage() {
  return (
    <>
      <h1>Top up</h1>
      <TopUp />
    </>
  );
}
