'use client';

import { formatCount } from '../../ui/quantities.ts';
import { getNoun, type MediaKind } from '../files/media-kind.ts';
import styles from './links.module.css';
import { parseLinks } from './links.ts';
import type { Links } from './use-links.ts';

interface LinkFieldProps {
  readonly links: Links;
  /** Kinds of files that the tool takes. */
  readonly takes: readonly MediaKind[];
}

/** Shows the state of the given links. */
export function LinkNotice({ links }: { readonly links: Links }) {
  const { offered, pending, problems, addLinks, cancel } = links;
  return (
    <div className={styles.notice}>
      <div role="status">
        {offered.length > 0 && (
          <p>
            Shared with Darkroom: {formatCount(offered.length, 'link')} to {getHosts(offered).join(', ')}.{' '}
            <button type="button" className="button" onClick={() => addLinks(offered)}>
              Fetch
            </button>{' '}
            <button type="button" className="button button-quiet" onClick={cancel}>
              Discard
            </button>
          </p>
        )}
        {pending.length > 0 && (
          <p>
            Our server fetches {formatCount(pending.length, 'link')}…{' '}
            <button type="button" className="button button-quiet" onClick={cancel}>
              Cancel
            </button>
          </p>
        )}
      </div>
      {problems.length > 0 && (
        <div role="alert">
          {problems.map((problem) => (
            <p key={problem} className={styles.problem}>
              {problem}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

function getHosts(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => new URL(url).host))];
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
