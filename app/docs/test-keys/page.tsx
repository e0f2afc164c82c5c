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
  error: 'The job ends in ERROR after the usual number of attempts.',
  slow: `The run takes ${SLOW_SECONDS} seconds.`,
  'insufficient-balance': 'The response is 402, for a moderation 403.',
  'too-many-requests': 'The response is 429, with Retry-After.',
  'webhook-failed': `The first delivery of the webhook counts as failed. The second comes ${FORCED_PAUSE_MS / 1000} seconds later.`,
};

const FACTS = [
  {
    name: 'Results',
    text: 'Marked images and videos, tones and fixed JSON, of the type and size of a true result. The same request has the same result.',
  },
  { name: 'Price', text: '0, also in quotes. A balance of 0 is enough.' },
  {
    name: 'Checks',
    text: 'Those of a live key, as are limits, states, events and webhooks.',
  },
  {
    name: 'Apart',
    text: 'Jobs, uploads, idempotency keys and cached results of live keys do not exist for it: 404.',
  },
];

export default function TestKeysPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>Try the whole API without money.</p>}
      aside={
        <p>
          Switch the <SiteLink href="/dashboard/keys">dashboard</SiteLink> to test data and create a key:{' '}
          <code>mk_test_…</code>.
        </p>
      }
    >
      <GuidePart
        id="test"
        title="What a test key does"
        text={
          <p>
            Jobs, lists and webhooks say <code>&quot;test&quot;: true</code>.
          </p>
        }
      >
        <FieldList fields={FACTS} />
      </GuidePart>
      <GuidePart
        id="outcomes"
        title="Force an outcome"
        text={<p>Give one of these as the URL of the input. With a live key the response is 400.</p>}
      >
        <FieldList
          fields={Object.entries(OUTCOMES).map(([name, text]) => ({ name: `${FORCED_ORIGIN}${name}`, text }))}
        />
      </GuidePart>
    </Guide>
  );
}
