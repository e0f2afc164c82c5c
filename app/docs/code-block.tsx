import { CopyText } from '../ui/copy-text.tsx';
import styles from './code.module.css';

interface CodeBlockProps {
  /** Accessible name. */
  readonly label: string;
  /** Whether readers run it: then its name and a button that copies it stand above. */
  readonly canCopy?: boolean;
  readonly children: string;
}

/** Code that scrolls sideways where it is wider than its column. */
export function CodeBlock({ label, canCopy = false, children }: CodeBlockProps) {
  const code = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, and must by keyboard too
    <section className={styles.code} tabIndex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  );
  if (!canCopy) return code;
  return (
    <div className={styles.example}>
      <div className={styles.bar}>
        <p className={styles.caption}>{label}</p>
        <CopyText text={children} subject={label} />
      </div>
      {code}
    </div>
  );
}
