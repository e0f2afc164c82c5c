import { CodeBlock } from '../code-block.tsx';
import { ErrorList } from '../error-list.tsx';
import { Example } from '../example.tsx';
import { Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/errors';
export const metadata = guideMetadata(HREF);

export default function ErrorsPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>A refused request changes nothing and costs nothing. Its message says what to change.</p>}
      aside={
        <CodeBlock label="Response: 400">
          {`error-code: bad_request

{
  "error": "Bad Request",
  "message": "quality: must be at most 100."
}`}
        </CodeBlock>
      }
    >
      <GuidePart
        id="handle"
        title="Handle errors"
        text={
          <>
            <p>
              Several errors share a status and a title. Programs read the header <code>error-code</code>.
              People read <code>message</code>, which names the field.
            </p>
            <p>
              Repeat a <code>429</code> or <code>503</code> after the seconds in <code>Retry-After</code>, and
              other <code>5xx</code> after a pause, with the same <code>Idempotency-Key</code>. Other errors
              stay the same: change the request.
            </p>
            <p>
              A job that ends <code>FAILED</code> or <code>ERROR</code> was accepted first: its{' '}
              <code>error</code> says why, and nothing is charged.
            </p>
          </>
        }
      >
        <Example name="errors" label="Handle errors" />
      </GuidePart>
      <GuidePart
        id="errors"
        title="Statuses"
        text={
          <p>
            What each status means, and its values of <code>error-code</code>. A few operations use another
            status for the same code; the reference lists them.
          </p>
        }
      >
        <ErrorList />
      </GuidePart>
    </Guide>
  );
}
