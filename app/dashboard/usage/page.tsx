import type { Metadata } from 'next';
import { MonthlyCap } from './monthly-cap.tsx';
import { Usage } from './usage.tsx';

export const metadata: Metadata = { title: 'Usage', robots: 'noindex' };

export default function UsagePage() {
  return (
    <>
      <h1>Usage</h1>
      <MonthlyCap />
      <Usage />
    </>
  );
}
