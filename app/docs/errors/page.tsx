import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../models/core/operation/error-table.ts';
import { CodeBlock } from '../code-block.tsx';
import type { ListedField } from '../endpoints.ts';
import { Example } from '../example.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/errors';

export const metadata = guideMetadata(HREF);

export default function ErrorsPage() {
  return (
    <Guide
      href={HREF}
      lead={<p>A refused request changes nothing and costs nothing.</p>}
      aside={
        <CodeBlock label="Response: 400">
          {`{
  "error": "Bad Request",
  "message": "quality: must be at most 100.",
  "code": "bad_request",
  "field": "quality",
  "request_id": "4f0c3a1e5b7d4c92a1e65d3b8f7c2a10"
}`}
        </CodeBlock>
      }
    >
      <HandlePart />
      <GuidePart
        id="errors"
        title="Codes"
        text={<p>A few operations use another status for a code: see the reference.</p>}
      >
        <ErrorList />
      </GuidePart>
    </Guide>
  );
}

function HandlePart() {
  return (
    <GuidePart
      id="handle"
      title="Handle errors"
      text={
        <>
          <p>
            Programs read <code>code</code>, which the header <code>error-code</code> repeats, and{' '}
            <code>field</code>: a path in the body such as <code>items[0].image_url</code>, or a header.
            People read <code>message</code>.
          </p>
          <p>
            <code>request_id</code> is that of the job, if there is one, else the <code>x-request-id</code> of
            the HTTP request.
          </p>
          <p>
            Repeat a <code>429</code> or <code>503</code> after the seconds in <code>Retry-After</code>, and
            other <code>5xx</code> after a pause, with the same <code>Idempotency-Key</code>. A{' '}
            <code>503</code> without <code>Retry-After</code> stays: this installation lacks the engine. For
            other errors, change the request.
          </p>
          <p>
            A job that ends <code>FAILED</code> or <code>ERROR</code>, and a failed item of a batch, have{' '}
            <code>error</code>, <code>code</code> and <code>field</code>. Neither is charged.
          </p>
        </>
      }
    >
      <Example name="errors" label="Handle errors" />
    </GuidePart>
  );
}

/** Statuses of failed requests, the codes that share each, and what they mean. */
function ErrorList() {
  return <FieldList fields={statuses()} />;
}

/** Lists the errors by their HTTP status. */
function statuses(): readonly ListedField[] {
  const found = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES) {
    const { status } = ERRORS[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return [...found]
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => ({
      name: String(status),
      note: [...new Set(codes.map((code) => ERRORS[code].title))].join(', '),
      text: codes.map((code) => ERRORS[code].description).join(' '),
      values: codes.join(', '),
    }));
}
