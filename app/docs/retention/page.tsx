import { readEnv } from '../../../server/base/env.ts';
import { IDEMPOTENCY_HOURS } from '../../../server/base/periods.ts';
import { INVITATION_DAYS } from '../../../server/identity/team/index.ts';
import { UPLOAD_HOURS } from '../../../server/io/uploads/index.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/retention';
export const metadata = guideMetadata(HREF);

export default function RetentionPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>How long this service keeps what you send and what it makes, as it is set up now.</p>}
      aside={
        <p>
          The <SiteLink href="/dashboard/account">account page</SiteLink> exports all of it, and deletes the
          account.
        </p>
      }
    >
      <GuidePart id="kept" title="Kept for">
        <FieldList fields={listPeriods(readEnv())} />
      </GuidePart>
    </Guide>
  );
}

/** Lists what is kept and for how long, as this service is set up. */
function listPeriods(env: ReturnType<typeof readEnv>) {
  return [
    {
      name: 'Results',
      text: `${env.RESULT_TTL_HOURS} hours (RESULT_TTL_HOURS). Then the files are deleted.`,
    },
    { name: 'Inputs', text: 'Until their job has ended. Then the files are deleted within minutes.' },
    {
      name: 'Uploads',
      text: `${UPLOAD_HOURS.usual} hours, or as long as expires_in_hours says, up to ${UPLOAD_HOURS.max}; less once you delete them.`,
    },
    {
      name: 'Jobs',
      text: `${env.JOB_RETENTION_DAYS} days after their end (JOB_RETENTION_DAYS), with params, labels, states and errors, without files.`,
    },
    {
      name: 'Webhook deliveries',
      text: `${env.DELIVERY_RETENTION_DAYS} days (DELIVERY_RETENTION_DAYS), with their bodies and attempts.`,
    },
    {
      name: 'Log of requests',
      text:
        env.REQUEST_LOG_DAYS === 0
          ? 'Not kept (REQUEST_LOG_DAYS).'
          : `${env.REQUEST_LOG_DAYS} days (REQUEST_LOG_DAYS), and at most the newest 10,000 of an account, without files and secrets.`,
    },
    { name: 'Idempotency keys', text: `${IDEMPOTENCY_HOURS} hours, with their responses.` },
    {
      name: 'Ledger',
      text: 'For ever, since money must add up. Without a name once the account is deleted.',
    },
    {
      name: 'Record of actions',
      text: 'One year: sign-ins, changes in the dashboard and studio jobs, with network addresses.',
    },
    {
      name: 'Invitations',
      text: `Their links work for ${INVITATION_DAYS} days. 30 days later their addresses are deleted.`,
    },
    {
      name: 'On your device',
      text: 'Until you delete it there: files that run in the browser never reach us.',
    },
  ];
}
