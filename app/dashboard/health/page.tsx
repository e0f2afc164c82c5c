import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { isOwner, visitorOf } from '../../../server/auth/index.ts';
import { webContext } from '../../../server/http/web-context.ts';
import { Health } from '../parts/health.tsx';

export const metadata: Metadata = { title: 'Health', robots: 'noindex' };

export default async function HealthPage() {
  const ctx = await webContext();
  const visitor = await visitorOf(ctx, await headers());
  if (!visitor || !(await isOwner(ctx, visitor))) notFound();
  return (
    <>
      <h1>Health</h1>
      <Health />
    </>
  );
}
