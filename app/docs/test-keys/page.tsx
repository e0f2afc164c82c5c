import {
  FORCED_ORIGIN,
  type ForcedOutcome,
  SLOW_SECONDS,
} from '../../../models/test-mode/forced-outcomes.ts';
import { FORCED_PAUSE_MS } from '../../../server/io/webhooks/index.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/test-keys';
export const metadata = guideMetadata(HREF);

const OUTCOMES: Readonly<Record<ForcedOutcome, string>> = {
  failed: 'The job ends FAILED. A direct response is 422.',
  error: 'Each attempt fails by a fault of ours, and the job ends in ERROR after the usual number of them.',
  slow: `The run takes ${SLOW_SECONDS} seconds.`,
  'insufficient-balance': 'The response is 402, for a moderation 403.',
  'too-many-requests': 'The response is 429, with Retry-After.',
  'webhook-failed': `The job completes. The first delivery of its webhook counts as failed, whatever your URL responds, and the second comes ${FORCED_PAUSE_MS / 1000} seconds later.`,
};

const FACTS = [
  {
    name: 'Results',
    text: 'Marked images and videos, tones and fixed JSON, of the type and size of a true result. The same request has the same result.',
  },
  { name: 'Price', text: 'charged_usd is 0, and a balance of 0 is enough. A quote is 0 as well.' },
  {
    name: 'Checks',
    text: 'Params, files, limits, rate limits, states, events and webhooks are those of a live key.',
  },
  {
    name: 'Apart',
    text: 'Lists, ids, uploads, idempotency keys and cached results of test and live keys never meet: an id of the other side is a 404.',
  },
];

export default function TestKeysPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>Try the whole API without money, and without waiting for a model.</p>}
      aside={
        <p>
          Switch the <SiteLink href="/dashboard/keys">dashboard</SiteLink> to test data and create a key. It
          begins with <code>mk_test_</code>.
        </p>
      }
    >
      <GuidePart
        id="test"
        title="What a test key does"
        text={
          <p>
            Send it in place of a live key. Jobs, lists and webhooks say <code>&quot;test&quot;: true</code>.
          </p>
        }
      >
        <FieldList fields={FACTS} />
      </GuidePart>
      <GuidePart
        id="outcomes"
        title="Force an outcome"
        text={
          <p>
            Give one of these addresses as the URL of the input. Nothing is fetched from there. With a live
            key the response is 400.
          </p>
        }
      >
        <FieldList
          fields={Object.entries(OUTCOMES).map(([name, text]) => ({ name: `${FORCED_ORIGIN}${name}`, text }))}
        />
      </GuidePart>
    </Guide>
  );
}
