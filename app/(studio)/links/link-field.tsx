'use client';

import styles from './links.module.css';
import { linksIn } from './links.ts';
import type { Links } from './use-links.ts';

/** Accepts a typed link, beside dropped and pasted ones. */
export function LinkField({ links }: { readonly links: Links }) {
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        links.addLinks(linksIn(String(new FormData(event.currentTarget).get('link'))));
      }}
    >
      <label className="heard-only" htmlFor="link">
        Link to an image
      </label>
      <input
        id="link"
        name="link"
        type="url"
        required
        pattern="[Hh][Tt][Tt][Pp][Ss]?://.+"
        placeholder="https://… a link"
        autoComplete="off"
        aria-describedby="link-means"
      />
      <button type="submit" className="button" disabled={links.pending.length > 0}>
        Fetch
      </button>
      <p id="link-means">Our server fetches it for this page: only the link is sent.</p>
    </form>
  );
}
