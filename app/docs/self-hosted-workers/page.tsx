import { readEnv } from '../../../server/base/env.ts';
import { WORKER_PACKAGE, WORKER_PATH } from '../../../server/ops/build/client-packages.ts';
import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/self-hosted-workers';
export const metadata = guideMetadata(HREF);

const REQUEST = `{
  "image_url": "https://example.com/photo.heic",
  "to_format": "avif",
  "run_on": "own"
}`;

const WORKER = `export DARKROOM_URL=https://darkroom.example.com
export DARKROOM_KEY=mk_…
darkroom-worker --operations upscale,remove-bg --concurrency 2`;

const COMMAND = `darkroom upscale photo.jpg --scale 4 --run-on own`;

const ENDS = [
  {
    name: '130',
    text: 'You stopped it. Its jobs are back in the queue, and the attempt does not count.',
  },
  { name: '2', text: 'A wrong option, or a package without codecs and models.' },
  { name: '3', text: 'The key is missing or refused, or it is a test key.' },
  {
    name: '1',
    text: 'Any other refusal. The message says which.',
  },
];

export default function SelfHostedWorkersPage() {
  return (
    <Guide href={HREF} lead={<p>A machine of yours runs the jobs of your account at no charge.</p>}>
      <SendPart />
      <WorkerPart />
      <GuidePart
        id="trust"
        title="Know where it ran"
        text={
          <p>
            Job, webhook and receipt say <code>run_on</code>. For <code>own</code>, engine, weights and result
            are what your machine reports: the service checks only that the files are whole and of the right
            kind, and never reuses the result. Jobs of test keys run at the service.
          </p>
        }
      />
    </Guide>
  );
}

function SendPart() {
  return (
    <GuidePart
      id="send"
      title="Leave a job to your workers"
      text={
        <>
          <p>
            <code>&quot;run_on&quot;: &quot;own&quot;</code> works with every operation and with batches, also
            with an empty wallet: only uploads then need a running worker. Without a machine of yours the job
            waits, and in the end is an <code>ERROR</code>.
          </p>
          <p>
            All else stays the same. Input and result are stored at the service, and count there. At most
            1,000 such jobs may be unfinished. Moderation waits for its verdict, so a machine must be there.
          </p>
        </>
      }
    >
      <CodeBlock label="Body of a request">{REQUEST}</CodeBlock>
      <CodeBlock label="The same by the command" canCopy>
        {COMMAND}
      </CodeBlock>
    </GuidePart>
  );
}

function WorkerPart() {
  return (
    <GuidePart
      id="worker"
      title="Start a worker"
      text={
        <>
          <p>
            <a href={`/${WORKER_PATH}/${WORKER_PACKAGE}`}>{WORKER_PACKAGE}</a> has the codecs and the bundled
            models, and needs no open port. Use a key without limits, or one that only workers can use. A
            checkout of Darkroom has it as <code>npm run darkroom -- worker</code>.
          </p>
          <p>
            The dashboard and <code>GET /api/v2/workers</code> list the workers and what each runs.
          </p>
          <p>
            A machine that is lost for 12 seconds loses its job to others, if there are any. A job ends in{' '}
            <code>ERROR</code> after three attempts that failed or whose machine was lost. Ctrl-C gives jobs
            back.
          </p>
          <p>Exit codes:</p>
          <FieldList fields={ENDS} />
        </>
      }
    >
      <CodeBlock
        label="Install the worker"
        canCopy
      >{`npm install --global ${readEnv().PUBLIC_URL}/${WORKER_PATH}/${WORKER_PACKAGE}`}</CodeBlock>
      <CodeBlock label="Terminal" canCopy>
        {WORKER}
      </CodeBlock>
    </GuidePart>
  );
}
