'use client';

import { SiteLink } from './ui/site-link.tsx';

/** Shown in place of a page that crashed. Its state is lost; the visitor's files are not. */
export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <section className="message" role="alert">
      <h1>This page crashed.</h1>
      <p>The fault is ours. Your files are unchanged. Reload and add them again.</p>
      <div className="actions">
        <button type="button" className="button button-primary" onClick={reset}>
          Reload the page
        </button>
        <SiteLink href="/" className="button">
          Home page
        </SiteLink>
      </div>
    </section>
  );
}
