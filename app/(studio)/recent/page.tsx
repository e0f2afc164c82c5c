import type { Metadata } from 'next';
import { RecentResults } from './recent-results.tsx';

export const metadata: Metadata = {
  title: 'Recent results',
  description: 'What you made lately. It lies in this browser only.',
};

export default function RecentPage() {
  return <RecentResults />;
}
