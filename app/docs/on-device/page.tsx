import { OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
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
        <p>
          An operation is one function. It runs on our server, in the browser and on your own machine, with
          the same fields and the same checks.
        </p>
      }
      aside={
        <>
          <p>The fields of a request, without the URL of its file, are the params of a run anywhere:</p>
          <CodeBlock label="Params">{JSON.stringify(params, null, 2)}</CodeBlock>
        </>
      }
    >
      <GuidePart
        id="browser"
        title="In the browser"
        text={
          <p>
            The tools of this site run operations in Web Workers: nothing is uploaded and nothing is charged.
            They build these params from their forms. A run asks the server only when you press the button
            that names its price.
          </p>
        }
      />
      <GuidePart
        id="machine"
        title="In a program of yours"
        text={
          <p>
            From a checkout, call the operation itself, without a service and an account. The example reads{' '}
            <code>photo.jpg</code> and converts it on this machine. Run it with tsx.
          </p>
        }
      >
        <Example name="device" label="Run an operation in a program" languages={['ts']} />
      </GuidePart>
      <ServicePart />
    </Guide>
  );
}

function ServicePart() {
  const { PUBLIC_URL } = readEnv();
  return (
    <GuidePart
      id="service"
      title="On a service of yours"
      text={
        <p>
          <code>npm start</code> runs the whole service on your machine, with a wallet that you fill yourself.
          Every example of these guides works with it: only <code>DARKROOM_URL</code> differs. Here it is{' '}
          <code>{PUBLIC_URL}</code>.
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
