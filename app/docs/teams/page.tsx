import { INVITATION_DAYS } from '../../../server/identity/team/index.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/teams';
export const metadata = guideMetadata(HREF);

const ROLES = Object.values(ROLE_TEXTS).map(({ name, rights }) => ({ name, text: rights }));

export default function TeamsPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>Several people share an account: its wallet, keys, jobs and webhooks, each with a role.</p>}
      aside={
        <p>
          The <SiteLink href="/dashboard/team">team page</SiteLink> lists members, invitations and what was
          done.
        </p>
      }
    >
      <GuidePart
        id="roles"
        title="Roles"
        text={
          <p>
            Everybody sees the balance, the usage and the members. A call that a role may not make is a{' '}
            <code>403</code> that names the roles that may.
          </p>
        }
      >
        <FieldList fields={ROLES} />
      </GuidePart>
      <InvitePart />
      <LeavePart />
      <GuidePart
        id="log"
        title="See who did what"
        text={
          <p>
            The log has each sign-in, change, download and studio job with the person, the time and the
            network address, for a year. It can be filtered by member, and is part of the account’s export.
          </p>
        }
      />
    </Guide>
  );
}

function InvitePart() {
  return (
    <GuidePart
      id="invite"
      title="Invite and join"
      text={
        <>
          <p>
            An owner invites an address by mail. The link works once, for {INVITATION_DAYS} days, and for that
            address only. An owner can send it again, which ends the former link, or revoke it. An account
            sends at most 20 invitations a day, and has at most 100 members and invitations.
          </p>
          <p>
            Who has an account signs in and accepts. Anybody else chooses a name and a password: the link
            proves the address. Everybody keeps a personal account next to those that they were invited to,
            and chooses between them above each page of the dashboard.
          </p>
        </>
      }
    />
  );
}

function LeavePart() {
  return (
    <GuidePart
      id="leave"
      title="Change roles and leave"
      text={
        <>
          <p>
            A new role counts from the next request on. Who is removed loses access at once: sessions that
            show the account end, and so do invitations that the person has sent. A mail says so, and the next
            sign-in shows the person’s other accounts. Anybody can leave. The last owner can do neither, and
            can’t give up the role: make another member an owner first, or delete the account.
          </p>
          <p>
            API keys belong to the account and go on working. Rotate those that a former member knows, and the
            webhook secret.
          </p>
          <p>
            Automatic top-ups charge the card of the member who set them up. They end within a minute once
            that person leaves, is removed or gets a role that may not top up, and the owners and billing
            members are told by mail.
          </p>
          <p>
            An account whose first person leaves keeps its wallet, keys and jobs. That person gets a new,
            empty account.
          </p>
        </>
      }
    />
  );
}
