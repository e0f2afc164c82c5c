import { readEnv } from '../../../server/base/env.ts';
import { CLIENT_PACKAGES, CLIENTS_PATH } from '../../../server/ops/build/client-packages.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/clients';
export const metadata = guideMetadata(HREF);

export default function ClientsPage() {
  const { typescript, python } = CLIENT_PACKAGES;
  const getUrl = (name: string) => `${readEnv().PUBLIC_URL}/${CLIENTS_PATH}/${name}`;
  return (
    <Guide
      href={HREF}
      lead={<p>A client uploads files in parts, polls, and repeats what is safe to repeat.</p>}
    >
      <GuidePart
        id="typescript"
        title="TypeScript"
        text={
          <>
            <p>
              <a href={`/${CLIENTS_PATH}/${typescript}`}>{typescript}</a> runs in Node from 20.19, Deno, Bun
              and browsers.
            </p>
            <p>
              It brings the <a href="#command">command</a> <code>darkroom</code>.
            </p>
          </>
        }
      >
        <CodeBlock
          label="Install the TypeScript client"
          canCopy
        >{`npm install ${getUrl(typescript)}`}</CodeBlock>
        <CodeBlock label="Convert a photo in TypeScript" canCopy>
          {TYPESCRIPT}
        </CodeBlock>
      </GuidePart>
      <GuidePart
        id="python"
        title="Python"
        text={
          <p>
            <a href={`/${CLIENTS_PATH}/${python}`}>{python}</a> needs Python 3.9 or newer and{' '}
            <code>httpx</code>. <code>AsyncClient</code> has the same methods, to be awaited.
          </p>
        }
      >
        <CodeBlock label="Install the Python client" canCopy>{`pip install ${getUrl(python)}`}</CodeBlock>
        <CodeBlock label="Convert a photo in Python" canCopy>
          {PYTHON}
        </CodeBlock>
      </GuidePart>
      <CommandPart install={`npm install --global ${getUrl(typescript)}`} />
      <GuidePart
        id="versions"
        title="Versions and upgrades"
        text={
          <>
            <p>To upgrade, install the address above. The changelog of each package says what has changed.</p>
            <p>
              Earlier packages stay at their addresses and go on working, as the{' '}
              <SiteLink href="/docs/deprecation">deprecation policy</SiteLink> says.
            </p>
          </>
        }
      />
    </Guide>
  );
}

function CommandPart({ install }: { readonly install: string }) {
  return (
    <GuidePart
      id="command"
      title="Command"
      text={
        <>
          <p>
            <code>-</code> is standard input or output. <code>darkroom COMMAND --help</code> lists the
            options.
          </p>
          <p>
            <code>--local</code> runs on your own machine, from a checkout only: the package holds no models.
          </p>
        </>
      }
    >
      <CodeBlock label="Install the command" canCopy>
        {[install, 'darkroom login'].join('\n')}
      </CodeBlock>
      <CodeBlock label="Use the command" canCopy>
        {COMMANDS}
      </CodeBlock>
    </GuidePart>
  );
}

const TYPESCRIPT = `import { createClient } from '@darkroom/client';
import { openFile } from '@darkroom/client/node';

const { DARKROOM_URL: origin = '', DARKROOM_KEY: apiKey = '' } = process.env;
const client = createClient({ origin, apiKey });
const photo = await openFile('photo.jpg');
const job = await client.run('media-convert-image', photo, { to_format: 'avif' });
console.log(job.output.media_url);`;

const PYTHON = `import os
from darkroom import Client

with Client(origin=os.environ["DARKROOM_URL"], api_key=os.environ["DARKROOM_KEY"]) as client:
    job = client.run("media-convert-image", "photo.jpg", {"to_format": "avif"})
    client.download(job["output"]["media_url"][0], "photo.avif")`;

const COMMANDS = `darkroom convert *.heic --to avif
darkroom batch remove-bg photos --out cutouts
darkroom run recipe.json photos --out shop
darkroom jobs --status PROCESSING
darkroom listen --forward-to http://localhost:4000/hooks
curl -s https://example.com/a.png | darkroom convert - --to webp --out - > a.webp
darkroom completion bash >> ~/.bashrc`;
