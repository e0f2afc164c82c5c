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
      lead={<p>You need a key and a wallet with credit.</p>}
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
          Paste this into a shell, with your key for <code>mk_…</code>. It cuts out a sample photo:{' '}
          <code>output_url</code> is the result.
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
          <p>All examples read these variables.</p>
          <p>
            The TypeScript examples use the <SiteLink href="/docs/clients">client</SiteLink>. Run them with
            tsx, Deno or Bun. The Python examples need only Python 3.9.
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
            <code>POST /uploads</code> stores the file. Use its <code>upload_url</code> for{' '}
            {UPLOAD_HOURS.usual} hours, in any number of requests. A file on the web needs no upload: send its
            URL. A large file goes in parts by <code>POST /v2/uploads</code>, which resume after a lost
            connection. The client does this for you.
          </p>
          <p>
            The request returns a job. Poll it until it is <code>COMPLETED</code>, then download the result
            within {RESULT_TTL_HOURS} hours.
          </p>
        </>
      }
    >
      <Example name="convert" label="Convert a photo" />
    </GuidePart>
  );
}
