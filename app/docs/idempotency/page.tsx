import { OPERATIONS } from '../../../models/registry.ts';
import { IDEMPOTENCY_HOURS } from '../../../server/base/periods.ts';
import { Example } from '../example.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/idempotency';
export const metadata = guideMetadata(HREF);

const CASES = [
  { name: 'same request', text: 'The first response again, with the header Idempotent-Replayed: true.' },
  {
    name: '409',
    text: 'The first request with this key is still running. Repeat it after the seconds of Retry-After, at most 30.',
  },
  { name: '422', text: 'The key was used for another request. Use a new key.' },
  {
    name: 'what counts',
    text: 'The path, X-Webhook-URL and the body as a JSON value, no other headers. A file counts by its bytes: uploaded again, in base64, or at another URL.',
  },
  {
    name: 'after 429 or source_unavailable',
    text: 'The key can be used again: the request was not accepted.',
  },
];

export default function IdempotencyPage() {
  const cached = Object.values(OPERATIONS).filter(({ cacheHours }) => cacheHours !== undefined);
  return (
    <Guide
      href={HREF}
      lead={<p>A connection can break after we accepted a request. Repeat it safely, and pay once.</p>}
    >
      <GuidePart
        id="repeat"
        title="Repeat a request"
        text={
          <>
            <p>
              Send an <code>Idempotency-Key</code> of your own with a POST, such as the number of your order.
              For {IDEMPOTENCY_HOURS} hours we repeat the first response, instead of starting another job.
            </p>
            <p>The TypeScript client sends a random key with each call, unless you give one.</p>
            <FieldList fields={CASES} />
          </>
        }
      >
        <Example name="repeat" label="Repeat a request" />
      </GuidePart>
      <GuidePart
        id="cache"
        title="Cached results"
        text={cached.map(({ id, title, cacheHours }) => (
          <p key={id}>
            {title}: the same files with the same fields return the same result for {cacheHours} hours, at no
            charge and without an <code>Idempotency-Key</code>. The response says{' '}
            <code>&quot;cached&quot;: true</code>. It is a job like any other, with its own id, files, webhook
            and receipt. Send <code>Cache-Control: no-cache</code> for a new run.
          </p>
        ))}
      />
    </Guide>
  );
}
