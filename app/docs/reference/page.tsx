import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing/index.ts';
import { CONSOLE_PATH } from '../console-path.ts';
import styles from '../docs.module.css';
import { EndpointDocs } from '../endpoint-docs.tsx';
import { endpointsOf } from '../endpoints.ts';
import { Guide, guideMetadata } from '../guide.tsx';

const HREF = '/docs/reference';
export const metadata = guideMetadata(HREF);

/** The HTTP API, from the same OpenAPI document that programs read. */
export default function ReferencePage() {
  const { PUBLIC_URL, GPL_ENCODERS, TERMS } = readEnv();
  const apiUrl = `${PUBLIC_URL}/api`;
  const endpoints = endpointsOf(applyPricing(TERMS), { gplEncoders: GPL_ENCODERS });
  return (
    <Guide
      href={HREF}
      lead={
        <>
          <p>
            The API is at <code>{apiUrl}</code>. Requests and responses are JSON.
          </p>
          <p>
            The <a href={CONSOLE_PATH}>API console</a> sends requests from your browser, and has a search. The{' '}
            <a href="/api/openapi.json">OpenAPI description</a> has the same for code generators and other
            viewers.
          </p>
        </>
      }
      aside={
        <nav aria-label="On this page">
          <ul className={styles.contents}>
            {endpoints.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <code>
                    {method} {path}
                  </code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      }
    >
      {endpoints.map((endpoint) => (
        <EndpointDocs key={endpoint.id} endpoint={endpoint} apiUrl={apiUrl} />
      ))}
    </Guide>
  );
}
