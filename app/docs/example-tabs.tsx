'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { CopyText } from '../ui/copy-text.tsx';
import styles from './code.module.css';
import { useLanguage } from './language-choice.tsx';
import { LANGUAGES, type Language } from './languages.ts';

/** An example in one language. */
export interface ExamplePanel {
  readonly language: Language;
  /** Source as it is copied. */
  readonly text: string;
  /** Source as it is shown. */
  readonly shown: ReactNode;
}

interface ExampleTabsProps {
  /** Accessible name. */
  readonly label: string;
  readonly panels: readonly ExamplePanel[];
}

/** Reports how far a key moves between tabs: to the next one, or to an end. */
const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** An example in each language, one of them shown: tabs that follow the choice of the whole page. */
export function ExampleTabs({ label, panels }: ExampleTabsProps) {
  const id = useId();
  const { language } = useLanguage();
  const chosen = Math.max(
    0,
    panels.findIndex((panel) => panel.language === language),
  );
  return (
    <div className={styles.example}>
      <div className={styles.bar}>
        <Tabs id={id} label={label} panels={panels} chosen={chosen} />
        <CopyText text={panels[chosen]?.text ?? ''} />
      </div>
      {panels.map((panel, index) => (
        <div
          key={panel.language}
          role="tabpanel"
          id={`${id}-${panel.language}`}
          aria-labelledby={`${id}-${panel.language}-tab`}
          hidden={index !== chosen}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and must by keyboard too
          tabIndex={0}
          className={styles.code}
        >
          <pre>
            <code>{panel.shown}</code>
          </pre>
        </div>
      ))}
    </div>
  );
}

interface TabsProps extends ExampleTabsProps {
  /** First part of the ids of all tabs and panels. */
  readonly id: string;
  /** Place of the panel that is shown. */
  readonly chosen: number;
}

function Tabs({ id, label, panels, chosen }: TabsProps) {
  const tabs = useRef<HTMLDivElement>(null);
  const { choose } = useLanguage();
  const move = (event: KeyboardEvent) => {
    const next = MOVES[event.key]?.(chosen, panels.length);
    const panel = next === undefined ? undefined : panels[next];
    if (next === undefined || !panel) return;
    event.preventDefault();
    choose(panel.language);
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div ref={tabs} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={move}>
      {panels.map((panel, index) => (
        <button
          key={panel.language}
          type="button"
          role="tab"
          id={`${id}-${panel.language}-tab`}
          aria-controls={`${id}-${panel.language}`}
          aria-selected={index === chosen}
          tabIndex={index === chosen ? 0 : -1}
          onClick={() => choose(panel.language)}
        >
          {LANGUAGES[panel.language]}
        </button>
      ))}
    </div>
  );
}
