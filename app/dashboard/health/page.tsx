import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { isServiceOwner } from '../../../server/identity/auth/index.ts';
import { findOwnAccount } from '../parts/find-own-account.ts';
import { EngineBoard } from './engine-board.tsx';
import { Health } from './health.tsx';

export const metadata: Metadata = { title: 'Health', robots: 'noindex' };

export default async function HealthPage() {
  const { ctx, visitor } = await findOwnAccount();
  if (!(await isServiceOwner(ctx, visitor))) notFound();
  return (
    <>
      <h1>Health</h1>
      <Health />
      <EngineBoard ctx={ctx} />
    </>
  );
}
