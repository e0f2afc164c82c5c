'use client';

import { Moon, Sun } from 'lucide-react';
import { rememberChoice } from '../ui/remember-choice.ts';
import { THEME_COOKIE, type Theme } from '../ui/theme.ts';
import styles from './shell.module.css';

/** Switches to the other theme, whether the current one was chosen or is the system's. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      className={styles.themeSwitch}
      onClick={turn}
      aria-label="Switch between light and dark"
    >
      <Sun strokeWidth={1.5} size={20} className={styles.sun} />
      <Moon strokeWidth={1.5} size={20} className={styles.moon} />
    </button>
  );
}

function turn(): void {
  const root = document.documentElement;
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const seen = root.dataset.theme ?? (systemIsDark ? 'dark' : 'light');
  const next: Theme = seen === 'dark' ? 'light' : 'dark';
  root.dataset.theme = next;
  rememberChoice(THEME_COOKIE, next);
}
