import type { Operation } from '../../../models/operation.ts';
import styles from './sections.module.css';

interface ApiExampleProps {
  /** API root without a trailing slash. */
  readonly apiUrl: string;
  readonly operation: Operation;
}

const KEY_HEADER: Readonly<Record<Operation['authentication'], string>> = {
  'subscription-key': 'Ocp-Apim-Subscription-Key: $DARKROOM_KEY',
  bearer: 'Authorization: Bearer $DARKROOM_KEY',
};

export function ApiExample({ apiUrl, operation }: ApiExampleProps) {
  const body = JSON.stringify({ image_url: 'https://example.com/photo.heic', to_format: 'avif' });
  const lines = [
    `curl ${apiUrl}${operation.path} \\`,
    `  -H "${KEY_HEADER[operation.authentication]}" -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ];
  return (
    <section aria-labelledby="api">
      <h2 id="api">Use it from your own code</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, and must by keyboard too */}
      <pre className={styles.code} tabIndex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
      <p className={styles.note}>
        Responds immediately with a polling URL; fetch the result by polling, or receive it by a signed
        webhook. See the <a href="/api/openapi.json">OpenAPI description</a>.
      </p>
    </section>
  );
}
