import { getCommand } from '../../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import { CodeBlock } from '../code-block.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/agents';
export const metadata = guideMetadata(HREF);

const TOOLS = [
  ...Object.values(OPERATIONS).map((operation) => ({
    name: getCommand(operation).name,
    text: operation.title,
  })),
  { name: 'get', text: 'Waits for an earlier job, and returns it.' },
  { name: 'quote', text: 'Returns the price of a call.' },
  { name: 'upload', text: 'Stores a file in base64, or makes room for one of a given length.' },
  { name: 'jobs', text: 'Lists earlier jobs.' },
  { name: 'cancel', text: 'Ends a job that is waiting or running.' },
  { name: 'wallet', text: 'Returns the balance, or what the key may still spend.' },
];

export default function AgentsPage() {
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          Agents use the operations as tools of the{' '}
          <a href="https://modelcontextprotocol.io">Model Context Protocol</a>.
        </p>
      }
    >
      <ConnectPart />
      <GuidePart
        id="tools"
        title="Tools"
        text={
          <>
            <p>
              A tool takes the fields of its operation’s request, and <code>no_cache</code>. A call reports
              its progress, and returns the ended job as <code>structuredContent</code>, without empty
              members. Its receipt comes by <code>get</code> with <code>receipt: true</code>.
            </p>
            <p>A canceled call or a lost connection cancels the job, at no charge.</p>
            <p>
              After ten minutes a job comes back unfinished: <code>get</code> waits for it again. A wrong
              field or a failed job is a result with <code>isError</code>.
            </p>
          </>
        }
      >
        <FieldList fields={TOOLS} />
      </GuidePart>
      <LimitPart />
    </Guide>
  );
}

function ConnectPart() {
  const { PUBLIC_URL } = readEnv();
  const url = `${PUBLIC_URL}/mcp`;
  const headers = { Authorization: 'Bearer mk_…', 'X-Spending-Limit-USD': '2' };
  const own = { command: 'darkroom', args: ['mcp', '--max-usd', '2'], env: { DARKROOM_URL: PUBLIC_URL } };
  return (
    <GuidePart
      id="connect"
      title="Connect an agent"
      text={
        <>
          <p>
            <code>POST {url}</code> is the protocol’s streamable HTTP. The operations, caps and rate limits of
            the key hold.
          </p>
          <p>
            <code>darkroom mcp</code> serves the same tools over standard input and output, with the key of{' '}
            <code>darkroom login</code>. It also uploads files from the working folder, and from folders that{' '}
            <code>--allow DIR</code> names.
          </p>
          <p>
            <code>npm run --silent darkroom -- mcp --local</code>, from a checkout, runs the operations on the
            agent’s own machine, without a key and at no charge. Its tools take and return paths of files.
          </p>
        </>
      }
    >
      <CodeBlock label="Over HTTP" canCopy>
        {JSON.stringify({ mcpServers: { darkroom: { url, headers } } }, null, 2)}
      </CodeBlock>
      <CodeBlock label="By the command" canCopy>
        {JSON.stringify({ mcpServers: { darkroom: own } }, null, 2)}
      </CodeBlock>
    </GuidePart>
  );
}

function LimitPart() {
  return (
    <GuidePart
      id="limit"
      title="Limit what it spends"
      text={
        <>
          <p>
            <code>X-Spending-Limit-USD</code>, or <code>--max-usd</code>, bounds what one session spends. A
            call beyond it is refused before it runs.
          </p>
          <p>
            The response to <code>initialize</code> names the session in <code>Mcp-Session-Id</code>. It ends
            after a day, and holds for its key alone. The monthly cap of the key bounds all sessions together.
          </p>
        </>
      }
    />
  );
}
