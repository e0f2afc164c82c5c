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
      lead={<p>Send up to {BATCH_ITEMS_MAX} requests as one job. Only items that succeed are charged.</p>}
    >
      <GuidePart
        id="send"
        title="Send a batch"
        text={
          <>
            <p>
              Each item has the fields of a single request. These fields may stand next to <code>items</code>,
              for all items without their own:
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
              The response is <code>202</code>. In the <code>COMPLETED</code> job, <code>output.items</code>{' '}
              has a result or an error for each item, in your order. The job’s <code>model_id</code> ends in{' '}
              <code>-batch</code>.
            </p>
            <p>
              A bad item fails alone. Equal items run once, at one charge: the others have{' '}
              <code>duplicate_of</code>, the index of the first. Extensions without a <code>seed</code> are
              variants, and each runs.
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
              A batch of pipelines runs several operations on each item: here a check, a cutout, and six
              images of it for a shop. Each step is charged once.
            </p>
            <p>A photo that the check flags costs the check alone.</p>
          </>
        }
      >
        <Example name="pipeline" label="A folder of photos" languages={['ts', 'py']} />
      </GuidePart>
    </Guide>
  );
}
