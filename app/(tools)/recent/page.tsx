import type { Metadata } from 'next';
import { RecentResults } from './recent-results.tsx';

export const metadata: Metadata = {
  title: 'Recent',
  description: 'Your recent results, stored only in this browser.',
};

export default function RecentPage() {
  return <RecentResults />;
}
