'use client';

import { type ReactNode, useState } from 'react';
import type { Fetch } from '../../../clients/typescript/src/index.ts';
import type { OperationId } from '../../../models/registry.ts';
import { TEST_MODE_HEADER } from '../../../models/test-mode/test-mode-cookie.ts';
import { useSignedInIfKnown } from '../../account/use-signed-in.ts';
import { describeFailure } from '../../studio/failures/describe-failure.ts';
import { ChooseFiles } from '../../studio/files/choose-files.tsx';
import { FoldedForm, ParamsForm } from '../../studio/form/params-form.tsx';
import { saveBlob } from '../../studio/runs/results.ts';
import { runJob, type ServerResult } from '../../studio/runs/server-run.ts';
import {
  changedFields,
  type Field,
  getValues,
  initialValues,
  type ParamValues,
} from '../../studio/tools/fields.ts';
import { useAbortOnUnmount, useObjectUrl } from '../../ui/hooks.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { type JsonRequest, writeCurl } from '../curl.ts';
import docs from '../docs.module.css';
import styles from './try-form.module.css';

interface TriedOperation {
  readonly id: OperationId;
  readonly title: string;
  readonly fields: readonly Field[];
  /** Price list, in words. */
  readonly price: string;
  /** Descriptions of the fields, by their names. */
  readonly descriptions: Readonly<Record<string, string>>;
  /** Smallest request. */
  readonly example: JsonRequest;
}

type Outcome =
  | { readonly step: 'idle' }
  | { readonly step: 'running'; readonly fraction: number }
  | { readonly step: 'done'; readonly result: ServerResult }
  | { readonly step: 'failed'; readonly reason: string };

const IDLE: Outcome = { step: 'idle' };

/** Sends one request of any operation for who is signed in, and shows its result. */
export function TryForm({ operations }: { readonly operations: readonly TriedOperation[] }) {
  const [id, setId] = useState(operations[0]?.id);
  const chosen = operations.find((each) => each.id === id);
  if (!chosen) return null;
  return (
    <OperationForm key={chosen.id} operation={chosen}>
      <label className={styles.operation}>
        Operation
        <select value={chosen.id} onChange={({ target }) => setId(target.value as OperationId)}>
          {operations.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </OperationForm>
  );
}

interface OperationFormProps {
  readonly operation: TriedOperation;
  /** Choice of the operation. */
  readonly children: ReactNode;
}

function OperationForm({
  operation: { id, fields, descriptions, price, example },
  children,
}: OperationFormProps) {
  const isSignedIn = useSignedInIfKnown();
  const leaving = useAbortOnUnmount();
  const [file, setFile] = useState<File>();
  const [values, setValues] = useState<ParamValues>(() => initialValues(fields));
  const [isTest, setTest] = useState(false);
  const [outcome, setOutcome] = useState(IDLE);
  const changed = changedFields(fields, values);
  const isRequired = ({ name }: Field) => name in example.body;
  // What was not changed is left to the API.
  const sent = fields.filter((field) => changed.includes(field) || isRequired(field));
  const params = getValues(sent, values);
  const run = async (input: File) => {
    const signal = leaving.begin();
    setOutcome({ step: 'running', fraction: 0 });
    try {
      const { OPERATIONS } = await import('../../../models/registry.ts');
      const result = await runJob({
        origin: location.origin,
        operation: OPERATIONS[id],
        file: input,
        params,
        signal,
        onProgress: ({ fraction }) => setOutcome({ step: 'running', fraction }),
        ...(isTest && { fetch: fetchAsTest }),
      });
      setOutcome({ step: 'done', result });
    } catch (error) {
      if (!signal.aborted) setOutcome({ step: 'failed', reason: describeFailure(error) });
    }
  };
  const isRunning = outcome.step === 'running';
  const form = {
    wording: {
      fields: Object.fromEntries(
        fields.map(({ name }) => [name, { label: name, explain: () => descriptions[name] ?? '' }]),
      ),
    },
    values,
    disabled: isRunning,
    onChange: setValues,
  };
  return (
    <section className={docs.part} aria-label="Request">
      <div>
        {children}
        <ChooseFiles className="button" label="Choose a file" onFiles={([first]) => setFile(first)} />
        {file && <p className="facts">{file.name}</p>}
        <ParamsForm {...form} fields={fields.filter(isRequired)} />
        <FoldedForm {...form} title="Optional fields" fields={fields.filter((field) => !isRequired(field))} />
        <label className={styles.test}>
          <input type="checkbox" checked={isTest} onChange={() => setTest(!isTest)} />
          Test: free, with a made-up result
        </label>
        {isSignedIn === false ? (
          <SiteLink href="/sign-in?next=/docs/try" className="button button-primary">
            Sign in to run it
          </SiteLink>
        ) : (
          <button
            type="button"
            className="button button-primary"
            disabled={!file || isRunning}
            onClick={() => file && void run(file)}
          >
            {isRunning ? 'Running…' : isTest ? 'Run as a test' : `Run · ${price}`}
          </button>
        )}
      </div>
      <div className={styles.response}>
        {isRunning && <ProgressLine fraction={outcome.fraction} label="Progress of the request" />}
        <div role="status">{outcome.step === 'done' && <Result result={outcome.result} />}</div>
        {outcome.step === 'failed' && <p role="alert">{outcome.reason}</p>}
        <CodeBlock label="The same by curl" canCopy>
          {writeCurl({ ...example, body: { ...example.body, ...params } })}
        </CodeBlock>
      </div>
    </section>
  );
}

const fetchAsTest: Fetch = (request) => {
  const headers = new Headers(request.headers);
  headers.set(TEST_MODE_HEADER, 'test');
  return fetch(new Request(request, { headers }));
};

function Result({ result: { files, details, chargedUsd, warnings } }: { readonly result: ServerResult }) {
  return (
    <>
      <p className="facts">${chargedUsd} charged</p>
      {files.map(({ name, blob }) => (
        <ResultFile key={name} name={name} blob={blob} />
      ))}
      {details && Object.keys(details).length > 0 && (
        <CodeBlock label="Result">{JSON.stringify(details, null, 2)}</CodeBlock>
      )}
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </>
  );
}

/** Shows a file of the result, and saves it. */
function ResultFile({ name, blob }: { readonly name: string; readonly blob: Blob }) {
  const url = useObjectUrl(blob);
  return (
    <figure className={styles.file}>
      {url && blob.type.startsWith('image/') && <img src={url} alt={`Result ${name}`} />}
      {url && blob.type.startsWith('video/') && (
        <video src={url} controls muted aria-label={`Result ${name}`} />
      )}
      {url && blob.type.startsWith('audio/') && (
        // biome-ignore lint/a11y/useMediaCaption: stems of a visitor's own sound have no captions
        <audio src={url} controls aria-label={`Result ${name}`} />
      )}
      <figcaption>
        <button type="button" className="button" onClick={() => saveBlob(blob, name)}>
          Download {name}
        </button>
      </figcaption>
    </figure>
  );
}
