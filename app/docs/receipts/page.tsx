import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/receipts';
export const metadata = guideMetadata(HREF);

const PAYLOAD = `{
  "request_id": "remove-bg_…",
  "model_id": "remove-bg",
  "engine": "isnet-general-use on cpu",
  "weights": [{ "id": "isnet-general-use", "sha256": "…" }],
  "params": { "background": "transparent", … },
  "inputs": [{ "name": "input", "sha256": "…", "bytes": 184302 }],
  "outputs": [{ "name": "cutout.png", "sha256": "…", "bytes": 90211 }],
  "charged_usd": "0.01",
  "created_at": "2026-11-26T09:00:00.000Z",
  "completed_at": "2026-11-26T09:00:02.118Z"
}`;

const COMMAND = `curl https://darkroom.example.com/.well-known/jwks.json > jwks.json
curl https://darkroom.example.com/api/v2/requests/status/$REQUEST_ID \\
  -H "Authorization: Bearer $DARKROOM_KEY" > job.json
darkroom verify job.json cutout.png --keys jwks.json`;

const PROGRAM = `import { findReceiptFile, verifyReceipt } from '@darkroom/client';

const receipt = await verifyReceipt(job.receipt, jwks);
findReceiptFile(receipt, sha256OfTheFile);`;

const FIELDS = [
  {
    name: 'weights',
    text: 'The files of models that ran. Empty for a method without a model.',
  },
  {
    name: 'inputs, outputs',
    text: 'In a batch names begin with the item: items[3].output.webp.',
  },

  {
    name: 'run_on',
    text: 'own for a self-hosted worker: engine and weights are its word, not ours.',
  },
];

export default function ReceiptsPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>Prove which file was made from which one, by what, when and for how much.</p>}
    >
      <GuidePart
        id="receipt"
        title="The receipt of a job"
        text={
          <>
            <p>
              A <code>COMPLETED</code> job has a <code>receipt</code>: a compact JWS, signed by Ed25519 ({' '}
              <code>EdDSA</code>). Save it with your file: jobs are deleted after a while.
            </p>
            <FieldList fields={FIELDS} />
          </>
        }
      >
        <CodeBlock label="What a receipt states">{PAYLOAD}</CodeBlock>
      </GuidePart>
      <GuidePart
        id="verify"
        title="Verify it"
        text={
          <>
            <p>
              The public keys are at <code>/.well-known/jwks.json</code>, retired ones too. Save them once to
              verify without a network.
            </p>
            <p>
              <code>darkroom verify</code> ends with 0 when a key has signed the receipt and the receipt names
              the file, as a result or an input, else with 1.
            </p>
          </>
        }
      >
        <CodeBlock label="Verify by command" canCopy>
          {COMMAND}
        </CodeBlock>
        <CodeBlock label="Verify in TypeScript" canCopy>
          {PROGRAM}
        </CodeBlock>
      </GuidePart>
    </Guide>
  );
}
