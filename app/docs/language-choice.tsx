'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { rememberChoice } from '../ui/remember-choice.ts';
import { LANGUAGE_COOKIE, type Language } from './languages.ts';

interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

const Choice = createContext<LanguageChoice>({ language: 'sh', choose() {} });

interface ChosenLanguageProps {
  /** Choice of the last visit, which the server reads: nothing flashes. */
  readonly initial: Language;
  readonly children: ReactNode;
}

/** One choice of language for all examples, remembered by a cookie. */
export function ChosenLanguage({ initial, children }: ChosenLanguageProps) {
  const [language, setLanguage] = useState(initial);
  const choice = useMemo(() => {
    const choose = (next: Language) => {
      setLanguage(next);
      rememberChoice(LANGUAGE_COOKIE, next, '/docs');
    };
    return { language, choose };
  }, [language]);
  return <Choice value={choice}>{children}</Choice>;
}

export const useLanguage = (): LanguageChoice => useContext(Choice);
