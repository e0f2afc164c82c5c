import styles from './code.module.css';

interface CodeBlockProps {
  /** Accessible name. */
  readonly label: string;
  readonly children: string;
}

/** Code that scrolls sideways where it is wider than its column. */
export function CodeBlock({ label, children }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, and must by keyboard too
    <section className={styles.code} tabIndex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  );
}
