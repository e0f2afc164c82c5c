import { OPERATIONS } from '../../../models/registry.ts';
import { IDEMPOTENCY_HOURS } from '../../../server/base/periods.ts';
import { Example } from '../example.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/idempotency';
export const metadata = guideMetadata(HREF);

const CASES = [
  { name: 'same request', text: 'The first response, with Idempotent-Replayed: true.' },
  {
    name: '409',
    text: 'The first request is still running. Repeat after Retry-After, at most 30 seconds.',
  },
  { name: '422', text: 'The key was used for another request.' },
  {
    name: 'what counts',
    text: 'Path, X-Webhook-URL and body as a JSON value. A file counts by its bytes, at any URL.',
  },
  {
    name: 'after 429 or source_unavailable',
    text: 'The key can be used again.',
  },
];

export default function IdempotencyPage() {
  const cached = Object.values(OPERATIONS).filter(({ cacheHours }) => cacheHours !== undefined);
  return (
    <Guide href={HREF} lead={<p>A connection broke? Repeat the request, and pay once.</p>}>
      <GuidePart
        id="repeat"
        title="Repeat a request"
        text={
          <>
            <p>
              Send an <code>Idempotency-Key</code> of your own with a POST, such as the number of your order.
              For {IDEMPOTENCY_HOURS} hours the same key returns the first response.
            </p>
            <p>The TypeScript client sends a random key by default.</p>
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
            charge, as a separate job with <code>&quot;cached&quot;: true</code>. Send{' '}
            <code>Cache-Control: no-cache</code> for a new run.
          </p>
        ))}
      />
    </Guide>
  );
}
