import type { Metadata } from 'next';
import { openPage } from '../parts/find-own-account.ts';
import { MonthlyCap } from './monthly-cap.tsx';
import { Usage } from './usage.tsx';

export const metadata: Metadata = { title: 'Usage', robots: 'noindex' };

export default async function UsagePage() {
  await openPage('/dashboard/usage');
  return (
    <>
      <h1>Usage</h1>
      <MonthlyCap />
      <Usage />
    </>
  );
}
