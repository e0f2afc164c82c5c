import { ACCOUNT_STREAMS_MAX, QUOTES_PER_MINUTE } from '../../../server/api/transport/process-limits.ts';
import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../../../server/io/uploads/index.ts';
import { formatBytes } from '../../ui/quantities.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { getLimit, getPrice } from '../endpoints.ts';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/limits';
export const metadata = guideMetadata(HREF);

export default function LimitsPage() {
  const operations = Object.values(applyPricing(readEnv().TERMS));
  return (
    <Guide
      href={HREF}
      lead={<p>The price is held before a job starts, and charged on success only.</p>}
      aside={
        <p>
          Every operation is free <SiteLink href="/docs/on-device">on your device</SiteLink>.
        </p>
      }
    >
      <GuidePart
        id="prices"
        title="Prices and inputs"
        text={
          <p>
            A balance below the lowest price of an operation is a <code>402</code>.
          </p>
        }
      >
        <FieldList
          fields={operations.map((operation) => ({
            name: operation.id,
            note: operation.title,
            text: (
              <>
                <p>{getPrice(operation)}</p>
                <p>{getLimit(operation)}</p>
              </>
            ),
          }))}
        />
      </GuidePart>
      <CommonLimits />
    </Guide>
  );
}

function CommonLimits() {
  return (
    <GuidePart
      id="limits"
      title="Limits"
      text={
        <p>
          A request beyond a limit returns <code>429</code> with its name and <code>Retry-After</code>.
        </p>
      }
    >
      <FieldList fields={listLimits(readEnv())} />
    </GuidePart>
  );
}

/** Lists the limits of all operations, as this service is set up. */
function listLimits(env: ReturnType<typeof readEnv>) {
  return [
    {
      name: 'Requests',
      text: `${env.RATE_LIMIT_PER_SECOND} per second per key, ${env.RATE_LIMIT_BURST} at once. RateLimit-* headers say what is left. ${env.ACCOUNT_REQUESTS_MAX} concurrent per account.`,
    },
    {
      name: 'Waiting',
      text: `${env.SYNC_TIMEOUT_SECONDS} seconds for a result within the request.`,
    },
    {
      name: 'Uploads',
      text: `${formatBytes(UPLOAD_BYTES_MAX)} per file, for ${UPLOAD_HOURS.usual} hours, or up to ${UPLOAD_HOURS.max}. ${env.ACCOUNT_UPLOADS_MAX} per account, ${formatBytes(env.ACCOUNT_UPLOADS_MB * 1e6)} together, parts with their whole length.`,
    },
    {
      name: 'Results',
      text: `${env.RESULT_TTL_HOURS} hours, ${env.ACCOUNT_STORAGE_GB} GB per account. Jobs stay for ${env.JOB_RETENTION_DAYS} days.`,
    },
    { name: 'Quotes', text: `${QUOTES_PER_MINUTE} per minute per account.` },
    { name: 'Events', text: `${ACCOUNT_STREAMS_MAX} concurrent streams per account.` },
    {
      name: 'Failures',
      text: `${env.FAILURES_PER_HOUR} an hour by inputs that cannot be processed. A long run counts more than once.`,
    },
  ];
}
