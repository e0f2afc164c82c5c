import { readEnv } from '../../../server/base/env.ts';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/data-location';
export const metadata = guideMetadata(HREF);

export default function DataLocationPage() {
  const env = readEnv();
  return (
    <Guide
      href={HREF}
      lead={
        env.DATA_LOCATION ? (
          <p>This service keeps its data in {env.DATA_LOCATION}.</p>
        ) : (
          <p>Its operator has named no place.</p>
        )
      }
    >
      <GuidePart id="places" title="Places">
        <FieldList fields={listPlaces(env)} />
      </GuidePart>
    </Guide>
  );
}

/** Lists where each kind of data lies, as this service is set up. */
function listPlaces(env: ReturnType<typeof readEnv>) {
  const files = env.S3_BUCKET
    ? `In a bucket in the region ${env.S3_REGION}.`
    : 'On the disk of the machine that serves this page.';
  return [
    { name: 'Files', text: files },
    ...(env.CDN_URL ? [{ name: 'Downloads', text: `Through ${new URL(env.CDN_URL).host}.` }] : []),
    {
      name: 'Accounts, jobs and ledger',
      text: env.EMBEDDED_DATABASE
        ? 'In a PostgreSQL database on the machine that serves this page.'
        : 'In a PostgreSQL database of the operator.',
    },
    {
      name: 'Runs',
      text:
        env.INFERENCE_ENDPOINTS.size > 0
          ? 'On machines of the service; some models run on model servers of the operator.'
          : 'On machines of the service alone.',
    },
    { name: 'On your device', text: 'Files and results of the studio stay in your browser.' },
  ];
}
