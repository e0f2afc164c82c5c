import { readEnv } from '../../../server/base/env.ts';
import { UPLOAD_HOURS } from '../../../server/io/uploads/index.ts';
import { CLIENT_PACKAGES, CLIENTS_PATH } from '../../../server/ops/build/client-packages.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { Example } from '../example.tsx';
import { firstRequest } from '../first-request.ts';
import { Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/quickstart';
export const metadata = guideMetadata(HREF);

export default function QuickstartPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>You need a key and a wallet with credit. A key is shown once.</p>}
      aside={
        <p>
          <SiteLink href="/dashboard/keys" className="button button-primary">
            Create a key
          </SiteLink>
        </p>
      }
    >
      <FirstRequestPart />
      <SetUpPart />
      <ConvertPart />
    </Guide>
  );
}

function FirstRequestPart() {
  const { PUBLIC_URL } = readEnv();
  return (
    <GuidePart
      id="first-request"
      title="One request"
      text={
        <p>
          Put your key in the place of <code>mk_…</code>, and paste this into a shell. It sends a sample photo
          of this service, and the response has the <code>output_url</code> of its cutout.
        </p>
      }
    >
      <CodeBlock label="First request" canCopy>
        {firstRequest(PUBLIC_URL, 'mk_…')}
      </CodeBlock>
    </GuidePart>
  );
}

function SetUpPart() {
  const { PUBLIC_URL } = readEnv();
  const { typescript } = CLIENT_PACKAGES;
  return (
    <GuidePart
      id="set-up"
      title="Set up"
      text={
        <>
          <p>All examples read the address of the service and your key from the environment.</p>
          <p>
            The TypeScript examples use the <SiteLink href="/docs/clients">client</SiteLink>, which installs
            from this service. Run them with tsx, Deno or Bun. The Python examples need nothing besides Python
            3.9; there is a client, too.
          </p>
        </>
      }
    >
      <CodeBlock label="Environment" canCopy>
        {[`export DARKROOM_URL=${PUBLIC_URL}`, 'export DARKROOM_KEY=mk_…'].join('\n')}
      </CodeBlock>
      <CodeBlock
        label="Client"
        canCopy
      >{`npm install ${PUBLIC_URL}/${CLIENTS_PATH}/${typescript} tsx`}</CodeBlock>
    </GuidePart>
  );
}

function ConvertPart() {
  const { RESULT_TTL_HOURS } = readEnv();
  return (
    <GuidePart
      id="convert"
      title="Convert a photo"
      text={
        <>
          <p>
            <code>POST /uploads</code> stores the file. Its <code>upload_url</code> works for{' '}
            {UPLOAD_HOURS.usual} hours, in any number of requests, wherever an operation takes a URL. A file
            that is already on the web needs no upload: send its own URL. A large file goes in parts by{' '}
            <code>POST /v2/uploads</code>, and an upload resumes after a lost connection; the client does so
            by itself.
          </p>
          <p>
            The request to the operation returns a job. Poll it until it is <code>COMPLETED</code>, then
            download its result: the URL works for {RESULT_TTL_HOURS} hours.
          </p>
        </>
      }
    >
      <Example name="convert" label="Convert a photo" />
    </GuidePart>
  );
}
