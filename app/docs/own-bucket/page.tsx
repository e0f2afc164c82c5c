import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/own-bucket';
export const metadata = guideMetadata(HREF);

const REQUEST = `{
  "image_url": "https://example.com/photo.heic",
  "to_format": "avif",
  "output_urls": ["https://bucket.s3.eu-central-1.amazonaws.com/photo.avif?X-Amz-Signature=…"],
  "store": false
}`;

const DELIVERY = `"output": {
  "media_url": ["https://bucket.s3.eu-central-1.amazonaws.com/photo.avif"],
  "media_type": "image/avif"
},
"output_delivery": [
  {
    "url": "https://bucket.s3.eu-central-1.amazonaws.com/photo.avif",
    "status": "delivered",
    "attempts": 1,
    "http_status": 200,
    "error": null
  }
]`;

const STATUSES = [
  { name: 'pending', text: 'The result is not there yet, or is tried again.' },
  { name: 'delivered', text: 'Your bucket responded with 2xx.' },
  { name: 'failed', text: 'Your bucket refused it, or did not take it within two minutes.' },
];

export default function OwnBucketPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>Let results go straight to a bucket of yours: S3, R2, GCS or any URL that takes a PUT.</p>}
    >
      <GuidePart
        id="send"
        title="Name the places"
        text={
          <>
            <p>
              <code>output_urls</code> are presigned PUT URLs, one for each file of the result, in the order
              of <code>media_url</code>. Another number of URLs is a <code>400</code>. Sign each for the media
              type of its file, or for any.
            </p>
            <p>
              With <code>&quot;store&quot;: false</code> we keep no file of the result: it needs{' '}
              <code>output_urls</code>. Batches and moderation take neither.
            </p>
            <p>Only public addresses are reached. Redirects are not followed, and no key of ours is sent.</p>
          </>
        }
      >
        <CodeBlock label="Body of a request">{REQUEST}</CodeBlock>
      </GuidePart>
      <GuidePart
        id="outcome"
        title="Read the outcome"
        text={
          <>
            <p>
              The delivery is part of the job: it is <code>COMPLETED</code> once each URL is settled.{' '}
              <code>output_delivery</code> has the outcome of each, without its signature.
            </p>
            <FieldList fields={STATUSES} />
            <p>
              A status of 5xx or a broken connection is tried again, for at most two minutes. Any other status
              ends it at once. If a delivery fails, the job stays <code>COMPLETED</code> and our copy is in{' '}
              <code>media_url</code>. With <code>&quot;store&quot;: false</code> the job is{' '}
              <code>FAILED</code> with the code <code>output_delivery_failed</code>, at no charge.
            </p>
            <p>
              A cached result is delivered as well, as a separate job at no charge. A response within the
              request names our copy in <code>output_url</code>, or your URL with{' '}
              <code>&quot;store&quot;: false</code>.
            </p>
          </>
        }
      >
        <CodeBlock label="Part of the job">{DELIVERY}</CodeBlock>
      </GuidePart>
    </Guide>
  );
}
