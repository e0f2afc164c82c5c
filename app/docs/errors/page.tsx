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
      lead={<p>A refused request changes nothing and costs nothing. Its message says what to change.</p>}
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
        text={
          <p>
            What each status means, and its codes. A few operations use another status for the same code; the
            reference lists them.
          </p>
        }
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
            Several errors share a status and a title. Programs read <code>code</code>, which the header{' '}
            <code>error-code</code> repeats, and <code>field</code>: a path in the body such as{' '}
            <code>items[0].image_url</code>, or the name of a header. People read <code>message</code>.
          </p>
          <p>
            <code>request_id</code> is that of the job where there is one, else that of the HTTP request, as{' '}
            <code>x-request-id</code> has it. A replayed error has that of the repeated request.
          </p>
          <p>
            Repeat a <code>429</code> or <code>503</code> after the seconds in <code>Retry-After</code>, and
            other <code>5xx</code> after a pause, with the same <code>Idempotency-Key</code>. A{' '}
            <code>503</code> without <code>Retry-After</code> stays: this installation lacks the engine. Other
            errors stay the same: change the request.
          </p>
          <p>
            A job that ends <code>FAILED</code> or <code>ERROR</code> was accepted first: its{' '}
            <code>error</code>, <code>code</code> and <code>field</code> say why, and nothing is charged. So
            do those of a failed item of a batch.
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
