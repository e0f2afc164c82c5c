import type { Metadata } from 'next';
import { findAccountName } from '../../../server/identity/team/index.ts';
import { findMailTransport } from '../../../server/io/mail.ts';
import { openPage } from '../parts/find-own-account.ts';
import { Activity } from './activity.tsx';
import { Team } from './team.tsx';

export const metadata: Metadata = { title: 'Team', robots: 'noindex' };

export default async function TeamPage() {
  const { ctx, visitor } = await openPage('/dashboard/team');
  return (
    <>
      <h1>Team</h1>
      <p>
        Account <b>{await findAccountName(ctx.db, visitor.accountId)}</b>. Its keys stay when a member leaves.
      </p>
      <Team visitorId={visitor.userId} mail={findMailTransport(ctx.env)} />
      <Activity />
    </>
  );
}
