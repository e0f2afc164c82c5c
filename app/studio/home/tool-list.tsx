import Link from 'next/link';
import { TOOL_LIST } from '../tools/tools.ts';
import styles from './tool-list.module.css';

/** Every tool by name, in the first window of the home page. */
export function ToolList() {
  return (
    <nav aria-label="Tools" className={styles.tools}>
      <ul>
        {TOOL_LIST.map(({ slug, name, icon: Icon }) => (
          <li key={slug}>
            <Link href={`/${slug}`}>
              <Icon size={20} strokeWidth={1.5} aria-hidden />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
