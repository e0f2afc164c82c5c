import { OPERATIONS } from '../../../models/registry.ts';
import { CodeBlock } from '../code-block.tsx';
import { Example } from '../example.tsx';
import { exampleBody } from '../example-request.ts';
import { Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/on-device';
export const metadata = guideMetadata(HREF);

export default function OnDevicePage() {
  const { image_url: _, ...params } = exampleBody(OPERATIONS['media-convert-image']);
  return (
    <Guide
      href={HREF}
      lead={
        <p>An operation runs on our server, in the browser and on your own machine, with the same fields.</p>
      }
      aside={
        <>
          <p>Everywhere its params are the fields of a request without the URL:</p>
          <CodeBlock label="Params">{JSON.stringify(params, null, 2)}</CodeBlock>
        </>
      }
    >
      <GuidePart
        id="browser"
        title="In the browser"
        text={
          <p>
            The tools of this site upload nothing and charge nothing, unless you press a button that names a
            price.
          </p>
        }
      />
      <GuidePart
        id="machine"
        title="In a program of yours"
        text={
          <p>From a checkout, call the operation itself, without an account. Run the example with tsx.</p>
        }
      >
        <Example name="device" label="Run an operation in a program" languages={['ts']} />
      </GuidePart>
      <ServicePart />
    </Guide>
  );
}

function ServicePart() {
  return (
    <GuidePart
      id="service"
      title="On a service of yours"
      text={
        <p>
          <code>npm start</code> runs the whole service on your machine, with a wallet that you fill yourself.
          Every example works with it: only <code>DARKROOM_URL</code> differs.
        </p>
      }
    >
      <CodeBlock label="A service of your own" canCopy>
        {[
          'npm ci && npm start',
          'npm run account -- --email a@example.com --credit-usd 5',
          'export DARKROOM_URL=http://localhost:3000 DARKROOM_KEY=mk_…',
        ].join('\n')}
      </CodeBlock>
      <Example name="send" label="The same request" />
    </GuidePart>
  );
}
