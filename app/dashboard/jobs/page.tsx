import type { Metadata } from 'next';
import { Jobs } from './jobs.tsx';

export const metadata: Metadata = { title: 'Jobs', robots: 'noindex' };

interface JobsProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function JobsPage({ searchParams }: JobsProps) {
  const { job } = await searchParams;
  return (
    <>
      <h1>Jobs</h1>
      <Jobs opened={typeof job === 'string' ? job : undefined} />
    </>
  );
}
