import { batchPath } from '../../../models/core/operation/batch.ts';
import { BATCH_ITEMS_MAX, type Operation } from '../../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { CodeBlock } from '../code-block.tsx';
import { Example } from '../example.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/batches';
export const metadata = guideMetadata(HREF);

const REQUEST = `{
  "items": [
    { "image_url": "https://example.com/1.heic" },
    { "image_url": "https://example.com/2.heic", "to_format": "png" }
  ],
  "to_format": "webp",
  "reference": "album 7"
}`;

const TYPESCRIPT = `const items = files.map((input) => ({ input }));
const job = await client.runBatch('media-convert-image', items, { to_format: 'webp' });`;

const PYTHON = `job = client.run_batch("media-convert-image", ["1.heic", "2.heic"], {"to_format": "webp"})`;

const OUTPUT = `"output": {
  "items": [
    { "status": "success", "media_url": ["…"], "media_type": "image/webp", … },
    { "status": "failed", "code": "unfetchable", "field": "items[1].image_url", "error": "…" }
  ],
  …
}`;

export default function BatchesPage() {
  const batches = Object.values<Operation>(OPERATIONS).filter(({ batch }) => batch !== undefined);
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          Send up to {BATCH_ITEMS_MAX} requests as one: one id, one progress and one webhook. Only the items
          that succeed are charged.
        </p>
      }
    >
      <GuidePart
        id="send"
        title="Send a batch"
        text={
          <>
            <p>
              Each of <code>items</code> has the fields of a single request. Fields next to <code>items</code>{' '}
              count for the items without their own. Jobs have the <code>model_id</code> of the operation with{' '}
              <code>-batch</code>.
            </p>
            <FieldList
              fields={batches.map((operation) => ({
                name: `POST ${batchPath(operation)}`,
                note: operation.title,
                text: operation.batch?.shared.join(', '),
              }))}
            />
          </>
        }
      >
        <CodeBlock label="Body of a batch of conversions">{REQUEST}</CodeBlock>
        <CodeBlock label="The same by the TypeScript client" canCopy>
          {TYPESCRIPT}
        </CodeBlock>
        <CodeBlock label="The same by the Python client" canCopy>
          {PYTHON}
        </CodeBlock>
      </GuidePart>
      <GuidePart
        id="results"
        title="Read the results"
        text={
          <>
            <p>
              The response is <code>202</code> at once. Once the job is <code>COMPLETED</code>,{' '}
              <code>output.items</code> has a result or an error for each item, in your order: the response of
              the single request, or <code>media_url</code> and <code>media_type</code> where that is a job.
            </p>
            <p>
              A bad item fails alone, also when no engine here can serve it. An item with the URL and fields
              of an earlier one runs once: the others repeat its result with <code>duplicate_of</code>, its
              index, at no charge. Extensions without a <code>seed</code> are variants, and each runs.
            </p>
          </>
        }
      >
        <CodeBlock label="Output of a batch">{OUTPUT}</CodeBlock>
      </GuidePart>
      <GuidePart
        id="photos"
        title="A folder of photos, step by step"
        text={
          <>
            <p>
              A batch of pipelines runs several operations on each item, as one job: here a check, a cutout,
              and six images of it for a shop. The steps between them are never uploaded or downloaded, and
              each is charged once.
            </p>
            <p>A photo that the check flags ends there, and costs the check alone.</p>
          </>
        }
      >
        <Example name="pipeline" label="A folder of photos" languages={['ts', 'py']} />
      </GuidePart>
    </Guide>
  );
}
