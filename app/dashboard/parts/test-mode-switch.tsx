'use client';

import { TEST_MODE_COOKIE } from '../../../models/test-mode/test-mode-cookie.ts';
import { rememberChoice } from '../../ui/remember-choice.ts';
import styles from './dashboard.module.css';
import modeStyles from './mode.module.css';

/** Switch between live data and those of test keys. Jobs, keys and webhooks follow it. */
export function TestModeSwitch({ isTest }: { readonly isTest: boolean }) {
  const choose = (mode: 'test' | 'live') => {
    rememberChoice(TEST_MODE_COOKIE, mode);
    window.location.reload();
  };
  return (
    <div className={modeStyles.mode} data-test={isTest}>
      <label>
        <input type="checkbox" checked={isTest} onChange={() => choose(isTest ? 'live' : 'test')} /> Test data
      </label>
      {isTest && (
        <p className={styles.small}>
          Jobs, requests, keys and webhooks are those of test keys. They cost nothing, and their results are
          made up.
        </p>
      )}
    </div>
  );
}
