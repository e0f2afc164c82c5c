import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { findVisitor, isOwner } from '../../../server/auth/index.ts';
import { getWebContext } from '../../../server/http/web-context.ts';
import { Health } from './health.tsx';

export const metadata: Metadata = { title: 'Health', robots: 'noindex' };

export default async function HealthPage() {
  const ctx = await getWebContext();
  const visitor = await findVisitor(ctx, await headers());
  if (!visitor || !(await isOwner(ctx, visitor))) notFound();
  return (
    <>
      <h1>Health</h1>
      <Health />
    </>
  );
}
