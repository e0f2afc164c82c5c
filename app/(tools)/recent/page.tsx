import type { Metadata } from 'next';
import { ToolList } from '../../studio/home/tool-grid.tsx';
import { RecentResults } from './recent-results.tsx';

export const metadata: Metadata = {
  title: 'Recent',
  description: 'Your recent results, stored only in this browser.',
};

export default function RecentPage() {
  return <RecentResults tools={<ToolList />} />;
}
