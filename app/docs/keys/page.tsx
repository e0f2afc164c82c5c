import { TOKEN_SECONDS } from '../../../server/identity/keys/index.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/keys';
export const metadata = guideMetadata(HREF);

const HEADERS = [
  { name: 'Authorization: Bearer', text: 'What most tools send. Use it everywhere.' },
  {
    name: 'Ocp-Apim-Subscription-Key',
    text: 'Accepted everywhere as well, for programs that were written for it.',
  },
  {
    name: 'Both',
    text: 'Where their keys differ, the one that the reference names first for the operation counts.',
  },
];

const KINDS = [
  {
    name: 'A key without limits',
    text: 'All of the account: its jobs, results, uploads, usage, wallet, workers and webhooks. An expiry is no limit.',
  },
  {
    name: 'A key with operations or a cap',
    text: 'The jobs, results, uploads and usage that it has made, and those of the keys that it has replaced and of its tokens. Other ids are 404, and lists of the account 403. The wallet shows its cap alone.',
  },
  {
    name: 'A worker key',
    text: 'Claims the jobs of all keys for self-hosted workers, and reads nothing else.',
  },
  {
    name: 'A token',
    text: 'What it has made itself. It sends uploads, requests and quotes, and cancels its own jobs.',
  },
  { name: 'A test key', text: 'The test side of the account alone.' },
];

const TYPESCRIPT = `const { token, token_id } = await client.createToken({
  max_usd: '0.50',
  expires_in_seconds: 600,
  operations: ['remove-bg'],
});`;

const PYTHON = `made = client.create_token(max_usd="0.50", expires_in_seconds=600, operations=["remove-bg"])`;

export default function KeysPage() {
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          The <SiteLink href="/dashboard/keys">Keys page</SiteLink> makes, limits, rotates and revokes keys.
          Who holds a key without limits reads the whole account: give each program a separate key.
        </p>
      }
    >
      <GuidePart
        id="headers"
        title="When to use which header"
        text={<p>Every path accepts the key in either header. A key is never part of a URL.</p>}
      >
        <FieldList fields={HEADERS} />
      </GuidePart>
      <GuidePart
        id="read"
        title="What may a key read?"
        text={<p>Limited means operations, a cap, or a token.</p>}
      >
        <FieldList fields={KINDS} />
      </GuidePart>
      <TokensPart />
    </Guide>
  );
}

function TokensPart() {
  return (
    <GuidePart
      id="tokens"
      title="Tokens for pages and apps"
      text={
        <>
          <p>
            Code on the devices of others must not hold a key. Your server makes a token of its key by{' '}
            <code>POST /v2/tokens</code>: it lives {TOKEN_SECONDS.min} to {TOKEN_SECONDS.max} seconds and
            spends at most <code>max_usd</code>.
          </p>
          <p>
            It counts on the rate limit and the caps of its key, and ends with it or by{' '}
            <code>{'DELETE /v2/tokens/{token_id}'}</code>. It makes no tokens, presets or webhooks, and does
            not open MCP.
          </p>
        </>
      }
    >
      <CodeBlock label="Make a token in TypeScript" canCopy>
        {TYPESCRIPT}
      </CodeBlock>
      <CodeBlock label="Make a token in Python" canCopy>
        {PYTHON}
      </CodeBlock>
    </GuidePart>
  );
}
