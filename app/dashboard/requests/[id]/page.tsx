import type { Metadata } from 'next';
import { openPage } from '../../parts/find-own-account.ts';
import { RequestDetail } from '../request-detail.tsx';

export const metadata: Metadata = { title: 'Request', robots: 'noindex' };

interface RequestPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** One request of the log. */
export default async function RequestPage({ params }: RequestPageProps) {
  await openPage('/dashboard/requests');
  return <RequestDetail id={(await params).id} />;
}
