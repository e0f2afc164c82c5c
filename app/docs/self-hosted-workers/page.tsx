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
    text: 'You have stopped it. Its jobs went back to the queue, and the attempt does not count.',
  },
  { name: '2', text: 'A wrong option, or a package without codecs and models.' },
  { name: '3', text: 'The key is missing or refused, or it is a test key.' },
  {
    name: '1',
    text: 'The service or this machine has refused to work in another way. The message says how.',
  },
];

export default function SelfHostedWorkersPage() {
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          Let a workstation of yours run the jobs of your account, with its models and its GPU, at no charge.
        </p>
      }
    >
      <SendPart />
      <WorkerPart />
      <GuidePart
        id="trust"
        title="Know where it ran"
        text={
          <p>
            Job, webhook and receipt say <code>run_on</code>. Engine, weights and result of <code>own</code>{' '}
            are what your machine has reported: the service checks that the files are whole and of the right
            kind, and vouches for nothing else. Such a result is never reused for another request. Jobs of
            test keys always run at the service.
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
            <code>&quot;run_on&quot;: &quot;own&quot;</code> works with every operation and with batches. The
            job costs nothing and holds nothing, and an empty wallet is enough. Only uploads then need a
            worker that runs. It never runs at the service: without a machine of yours it waits, and ends in{' '}
            <code>ERROR</code> after the time that the service allows.
          </p>
          <p>
            All else stays the same: checks, limits, files, webhooks, <code>output_urls</code>, cancelling.
            Input and result are stored at the service, and count there. At most 1,000 such jobs may be
            unfinished. A request of moderation still waits for its verdict, so a machine must be there.
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
            models. Its command takes the jobs of the account of its key, and of no other. A key with
            operations or a cap may take none: use one without limits, or one that only workers can use. It
            needs no open port. A checkout of Darkroom has it as <code>npm run darkroom -- worker</code>.
          </p>
          <p>
            The dashboard, and <code>GET /api/v2/workers</code>, list the workers: when each was last seen,
            and what it runs.
          </p>
          <p>
            A machine that is lost for 12 seconds loses its job to others, if there are any; after a lost
            connection it continues. Ctrl-C gives its jobs back. A job ends in <code>ERROR</code> after three
            attempts that failed or whose machine was lost.
          </p>
          <p>It ends with these exit codes:</p>
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
