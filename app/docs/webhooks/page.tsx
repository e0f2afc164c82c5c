import { DELIVERY_ATTEMPTS_MAX, DELIVERY_DAYS } from '../../../server/io/webhooks/index.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { Example } from '../example.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/webhooks';
export const metadata = guideMetadata(HREF);

const HEADERS = [
  { name: 'webhook-id', text: 'The same for each attempt.' },
  { name: 'webhook-timestamp', text: 'Time of the attempt, in seconds since 1970.' },
  { name: 'webhook-signature', text: 'One or more signatures, separated by spaces: v1, and base64.' },
];

export default function WebhooksPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>Your URL receives the job as JSON once it has ended.</p>}
      aside={
        <p>
          The <SiteLink href="/dashboard/webhooks">Webhooks page</SiteLink> has the secret, the deliveries and
          a test event.
        </p>
      }
    >
      <AskPart />
      <VerifyPart />
      <GuidePart
        id="events"
        title="Events of the account"
        text={
          <p>
            <SiteLink href="/docs/spending">Alerts about spending</SiteLink> come signed in the same way.
          </p>
        }
      />
    </Guide>
  );
}

function AskPart() {
  return (
    <GuidePart
      id="ask"
      title="Ask for a webhook"
      text={
        <>
          <p>
            Send <code>X-Webhook-URL</code> with the request. The body is the job, as polling returns it.
          </p>
          <p>
            Any <code>2xx</code> counts as delivered. Otherwise we make up to {DELIVERY_ATTEMPTS_MAX} attempts
            over about {DELIVERY_DAYS} days. <code>410</code> ends them. Redirects are not followed.
          </p>
          <p>
            A cached result sends one, too. A batch or a pipeline sends one, not one for each item or step.
          </p>
        </>
      }
    >
      <Example name="webhook-send" label="Ask for a webhook" />
    </GuidePart>
  );
}

function VerifyPart() {
  return (
    <GuidePart
      id="verify"
      title="Check the signature"
      text={
        <>
          <p>
            Anyone can send to your URL. Ours are signed by{' '}
            <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: HMAC-SHA256 over id, timestamp
            and body, with your secret. Refuse what is not signed, or older than five minutes.
          </p>
          <FieldList fields={HEADERS} />
          <p>
            Check the bytes as they arrived. Act on a <code>webhook-id</code> once. During a rotation of the
            secret, the old one signs too.
          </p>
        </>
      }
    >
      <Example name="webhook-verify" label="Check the signature" />
    </GuidePart>
  );
}
