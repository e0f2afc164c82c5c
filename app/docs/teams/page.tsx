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
      lead={<p>Several people share an account, each with a role.</p>}
      aside={
        <p>
          The <SiteLink href="/dashboard/team">team page</SiteLink> lists members, invitations and actions.
        </p>
      }
    >
      <GuidePart
        id="roles"
        title="Roles"
        text={
          <p>
            All see the balance, the usage and the members. A <code>403</code> names the roles that may make a
            call.
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
            network address, for a year. The account’s export includes it.
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
            An owner invites an address by mail. The link works once, for {INVITATION_DAYS} days. Sending it
            again ends the former link. An account sends at most 20 invitations a day, and has at most 100
            members and invitations.
          </p>
          <p>
            Who has no account chooses a name and a password to join. All keep a personal account, and choose
            between accounts above each page of the dashboard.
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
            A new role counts from the next request on. Who is removed loses access at once, gets a mail, and
            the invitations that the person has sent end. Anybody can leave, except the last owner: make
            another member an owner first, or delete the account.
          </p>
          <p>
            API keys belong to the account and go on working. Rotate those that a former member knows, and the
            webhook secret.
          </p>
          <p>
            Automatic top-ups charge the card of the member who set them up. They end within a minute once
            that person may no longer top up, and owners and billing members get a mail.
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
