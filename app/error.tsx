'use client';

import Link from 'next/link';

/** Shown in place of a page that broke. What was dropped there is lost; the files themselves are not. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <section className="message" role="alert">
      <h1>This page stopped.</h1>
      <p>The fault is ours. Your files are as they were: open the page again and drop them once more.</p>
      <div className="ways">
        <button type="button" className="button button-primary" onClick={reset}>
          Open the page again
        </button>
        <Link href="/" className="button">
          To the start
        </Link>
      </div>
    </section>
  );
}
