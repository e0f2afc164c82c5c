'use client';

import './base.css';

/** Shown when even the frame of the page broke: it brings its own document. */
export default function GlobalErrorPage({ reset }: { reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="message" role="alert">
          <title>This page stopped · Darkroom</title>
          <h1>This page stopped.</h1>
          <p>The fault is ours. Your files are as they were: open the page again and drop them once more.</p>
          <button type="button" className="button button-primary" onClick={reset}>
            Open the page again
          </button>
        </main>
      </body>
    </html>
  );
}
