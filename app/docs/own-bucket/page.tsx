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
  { name: 'pending', text: 'Not delivered yet.' },
  { name: 'delivered', text: 'Your bucket responded with 2xx.' },
  { name: 'failed', text: 'Refused, or not accepted within two minutes.' },
];

export default function OwnBucketPage() {
  return (
    <Guide href={HREF} lead={<p>Results go straight to S3, R2, GCS or any URL that accepts a PUT.</p>}>
      <GuidePart
        id="send"
        title="Name the places"
        text={
          <>
            <p>
              <code>output_urls</code> are presigned PUT URLs, one for each file, in the order of{' '}
              <code>media_url</code>, else <code>400</code>. Sign each for the media type of its file, or for
              any.
            </p>
            <p>
              With <code>&quot;store&quot;: false</code> we keep no file of the result. Batches and moderation
              take neither field.
            </p>
            <p>Only public addresses are reached, and no redirects are followed.</p>
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
              The job is <code>COMPLETED</code> once each URL has an outcome:
            </p>
            <FieldList fields={STATUSES} />
            <p>
              We retry after 5xx and broken connections. If a delivery fails, our copy is in{' '}
              <code>media_url</code>. With <code>&quot;store&quot;: false</code> the job is{' '}
              <code>FAILED</code> with the code <code>output_delivery_failed</code>, at no charge.
            </p>
            <p>
              A cached result is delivered as well, at no charge. A response within the request names our copy
              in <code>output_url</code>, or your URL with <code>&quot;store&quot;: false</code>.
            </p>
          </>
        }
      >
        <CodeBlock label="Part of the job">{DELIVERY}</CodeBlock>
      </GuidePart>
    </Guide>
  );
}
