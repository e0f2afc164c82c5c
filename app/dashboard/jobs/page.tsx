import type { Metadata } from 'next';
import { openPage } from '../parts/find-own-account.ts';
import { Jobs } from './jobs.tsx';
import { Workers } from './workers.tsx';

export const metadata: Metadata = { title: 'Jobs', robots: 'noindex' };

interface JobsProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function JobsPage({ searchParams }: JobsProps) {
  await openPage('/dashboard/jobs');
  const { job } = await searchParams;
  return (
    <>
      <h1>Jobs</h1>
      <Workers />
      <Jobs opened={typeof job === 'string' ? job : undefined} />
    </>
  );
}
