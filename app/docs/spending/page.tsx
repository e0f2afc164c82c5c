import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/spending';
export const metadata = guideMetadata(HREF);

const CAPS = [
  { name: 'A key', text: 'In a calendar month. The Keys page and npm run keys set it.' },
  {
    name: 'The account',
    text: 'All keys and the studio in a calendar month. The Usage page and npm run account set it.',
  },
  { name: 'A session of an agent', text: 'X-Spending-Limit-USD at /mcp, or darkroom mcp --max-usd.' },
];

const EVENT = `{
  "type": "account.spending",
  "share": 80,
  "spent_usd": "40.12",
  "cap_usd": "50.00"
}`;

export default function SpendingPage() {
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          The <SiteLink href="/dashboard/usage">Usage page</SiteLink> shows the spending by day, operation and
          key.
        </p>
      }
    >
      <GuidePart
        id="caps"
        title="Caps"
        text={
          <>
            <p>
              A request beyond a cap is refused: <code>402</code>, for a moderation <code>403</code>. Running
              jobs count with the price that they hold. Months are in UTC.
            </p>
            <FieldList fields={CAPS} />
          </>
        }
      />
      <GuidePart
        id="alerts"
        title="Alerts"
        text={
          <p>
            At 50, 80 and 100 % of the account&rsquo;s cap, owners and billing members get a mail, and the
            event address of the Usage page gets an event,{' '}
            <SiteLink href="/docs/webhooks">signed and repeated</SiteLink> like webhooks: once each in a
            month.
          </p>
        }
      >
        <CodeBlock label="Event of an alert">{EVENT}</CodeBlock>
      </GuidePart>
      <GuidePart
        id="statements"
        title="Statements and receipts"
        text={
          <p>
            The <SiteLink href="/dashboard/statements">Statements page</SiteLink> has each month to print, a
            receipt of each top-up, and the whole ledger as CSV, with the reference and metadata of each job.
          </p>
        }
      />
    </Guide>
  );
}
