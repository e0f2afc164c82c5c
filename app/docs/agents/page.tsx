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
    text: operation.summary,
  })),
  { name: 'get', text: 'Waits for an earlier job by its request_id, and returns it.' },
  { name: 'quote', text: 'Returns the price of a call, by operation and params. Runs nothing.' },
  { name: 'upload', text: 'Stores a file in base64, or makes room for one of a given length.' },
  { name: 'jobs', text: 'Lists earlier jobs in pages, by the filters of the API.' },
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
          <a href="https://modelcontextprotocol.io">Model Context Protocol</a>, with a key and a limit of
          spending.
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
              The fields of a tool are those of its operation’s request, and <code>no_cache</code>. A call
              returns once its job has ended, with the job as <code>structuredContent</code>: without empty
              members, and without its receipt, which <code>get</code> returns with <code>receipt: true</code>
              . Until then it reports the progress.
            </p>
            <p>A call that is canceled, or whose connection is lost, cancels its job. That costs nothing.</p>
            <p>
              A job that takes longer than ten minutes comes back unfinished: <code>get</code> waits for it
              again. A wrong field and a failed job are results with <code>isError</code>, whose text names
              the field.
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
            <code>POST {url}</code> is the streamable HTTP of the protocol. Calls count as requests with the
            same key: its operations, caps and rate limits hold.
          </p>
          <p>
            <code>darkroom mcp</code> serves the same tools over standard input and output, with the key of{' '}
            <code>darkroom login</code>. There an input may also be the path of a file, which is uploaded: one
            in the working folder, or in those that <code>--allow DIR</code> names.
          </p>
          <p>
            <code>npm run --silent darkroom -- mcp --local</code>, the command of Darkroom itself, runs the
            operations on the agent’s own machine: without a key, a service and a price. Its tools take paths
            of files, and return those of their results.
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
            call that would exceed the limit is refused before it runs. Failed jobs do not count.
          </p>
          <p>
            The session begins with the message <code>initialize</code>, whose response names it in{' '}
            <code>Mcp-Session-Id</code>. It ends after a day, and holds for its key alone. A monthly cap of
            the key bounds all sessions together.
          </p>
        </>
      }
    />
  );
}
