'use client';

import { getNoun, type MediaKind } from '../files/media-kind.ts';
import styles from './links.module.css';
import { parseLinks } from './links.ts';
import type { Links } from './use-links.ts';

interface LinkFieldProps {
  readonly links: Links;
  /** Kinds of files that the tool takes. */
  readonly takes: readonly MediaKind[];
}

/** Accepts a typed link, next to dropped and pasted ones. */
export function LinkField({ links, takes }: LinkFieldProps) {
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        links.addLinks(parseLinks(String(new FormData(event.currentTarget).get('link'))));
      }}
    >
      <label className="sr-only" htmlFor="link">
        Link to an {takes.map(getNoun).join(' or ')}
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
