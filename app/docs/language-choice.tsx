'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { LANGUAGE_COOKIE, type Language } from './languages.ts';

interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

const YEAR_SECONDS = 31_536_000;
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
      remember(next);
    };
    return { language, choose };
  }, [language]);
  return <Choice value={choice}>{children}</Choice>;
}

function remember(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/docs; max-age=${YEAR_SECONDS}; samesite=lax`;
}

export const useLanguage = (): LanguageChoice => useContext(Choice);
