import { TOKEN_SECONDS } from '../../../server/identity/keys/index.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/keys';
export const metadata = guideMetadata(HREF);

const HEADERS = [
  { name: 'Authorization: Bearer', text: 'Use it everywhere.' },
  {
    name: 'Ocp-Apim-Subscription-Key',
    text: 'Accepted everywhere, for programs that were written for it.',
  },
  {
    name: 'Both',
    text: 'If their keys differ, the one that the reference names first counts.',
  },
];

const KINDS = [
  {
    name: 'A key without limits',
    text: 'The whole account. An expiry is no limit.',
  },
  {
    name: 'A key with operations or a cap',
    text: 'Its own jobs, results, uploads and usage, with those of its tokens and of the keys that it replaced. Other ids are 404, lists of the account 403. The wallet shows its cap alone.',
  },
  {
    name: 'A worker key',
    text: 'The jobs that self-hosted workers claim, of all keys. Nothing else.',
  },
  {
    name: 'A token',
    text: 'What it has made itself.',
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
          Give each program its own.
        </p>
      }
    >
      <GuidePart id="headers" title="When to use which header" text={<p>A key is never part of a URL.</p>}>
        <FieldList fields={HEADERS} />
      </GuidePart>
      <GuidePart id="read" title="What may a key read?">
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
            Code on the devices of others must not hold a key. Give it a token: your server makes one by{' '}
            <code>POST /v2/tokens</code>. It lives {TOKEN_SECONDS.min} to {TOKEN_SECONDS.max} seconds, spends
            at most <code>max_usd</code>, and sends uploads, requests and quotes.
          </p>
          <p>
            Rate limit and caps are those of its key. It ends with its key, or by{' '}
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
