'use client';

import './base.css';

/** Shown when even the layout crashed: it brings its own document. */
export default function GlobalErrorPage({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="message" role="alert">
          <title>This page crashed · Darkroom</title>
          <h1>This page crashed.</h1>
          <p>The fault is ours. Your files are unchanged. Reload and add them again.</p>
          <button type="button" className="button button-primary" onClick={reset}>
            Reload the page
          </button>
        </main>
      </body>
    </html>
  );
}
