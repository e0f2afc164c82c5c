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
      lead={<p>How long this service keeps what you send and what it makes.</p>}
      aside={
        <p>
          The <SiteLink href="/dashboard/account">account page</SiteLink> exports all of it.
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
      text: `${env.RESULT_TTL_HOURS} hours.`,
    },
    { name: 'Inputs', text: 'Until minutes after the end of their job.' },
    {
      name: 'Uploads',
      text: `${UPLOAD_HOURS.usual} hours, or expires_in_hours up to ${UPLOAD_HOURS.max}, or until you delete them.`,
    },
    {
      name: 'Jobs',
      text: `${env.JOB_RETENTION_DAYS} days after their end, with params, labels, states and errors.`,
    },
    {
      name: 'Webhook deliveries',
      text: `${env.DELIVERY_RETENTION_DAYS} days, with bodies and attempts.`,
    },
    {
      name: 'Log of requests',
      text:
        env.REQUEST_LOG_DAYS === 0
          ? 'Not kept.'
          : `${env.REQUEST_LOG_DAYS} days, at most the newest 10,000 of an account, without files and secrets.`,
    },
    { name: 'Idempotency keys', text: `${IDEMPOTENCY_HOURS} hours, with their responses.` },
    {
      name: 'Ledger',
      text: 'For ever; without a name once the account is deleted.',
    },
    {
      name: 'Record of actions',
      text: 'One year.',
    },
    {
      name: 'Invitations',
      text: `Their addresses until 30 days after the ${INVITATION_DAYS} days of the link.`,
    },
    {
      name: 'On your device',
      text: 'Until you delete it there.',
    },
  ];
}
