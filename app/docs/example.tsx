import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getKeys } from '../../models/core/records.ts';
import styles from './code.module.css';
import { type ExamplePanel, ExampleTabs } from './example-tabs.tsx';
import { LANGUAGES, type Language } from './languages.ts';

const DOUBLE = '"(?:\\\\[\\s\\S]|[^"\\\\])*"';

const SINGLE = "'(?:\\\\[\\s\\S]|[^'\\\\])*'";

const words = (text: string) => `\\b(?:${text.replaceAll(' ', '|')})\\b`;

/** Comments, texts and keywords of each language, in this order. */
const PARTS: Readonly<Record<Language, readonly [comment: string, text: string, keyword: string]>> = {
  sh: [
    '(?<=^|\\s)#.*$',
    // A text within a text is an argument of a command in it.
    `${DOUBLE}|'[^']*'`,
    words('set if then else fi until while do done case esac in exit'),
  ],
  ts: [
    '//.*$|/\\*[\\s\\S]*?\\*/',
    `${SINGLE}|${DOUBLE}|\`(?:\\\\[\\s\\S]|[^\`\\\\])*\``,
    words(
      'import from const let for of if else while await async try catch throw new return interface break',
    ),
  ],
  py: [
    '#.*$',
    `[bf]?"""[\\s\\S]*?"""|[bf]?${DOUBLE}`,
    words('import from def class with as while for in if not and or break try except raise return print'),
  ],
};

const ALL = getKeys(LANGUAGES);

interface ExampleProps {
  /** Name of the files in the folders of `clients/examples`, which the tests run. */
  readonly name: string;
  /** Accessible name. */
  readonly label: string;
  /** Languages of the example. Defaults to all. */
  readonly languages?: readonly Language[];
}

/** An example from its files, in each language. */
export async function Example({ name, label, languages = ALL }: ExampleProps) {
  const panels = await Promise.all(languages.map((language) => getPanel(name, language)));
  return <ExampleTabs label={label} panels={panels} />;
}

async function getPanel(name: string, language: Language): Promise<ExamplePanel> {
  const file = await readFile(
    join(process.cwd(), 'clients/examples', language, `${name}.${language}`),
    'utf8',
  );
  const text = file.trimEnd();
  return { language, text, shown: <Highlighted language={language} source={text} /> };
}

/** Code whose comments, texts and keywords have colours. Colour adds to the code, and says nothing alone. */
function Highlighted({ language, source }: { readonly language: Language; readonly source: string }) {
  const [comment, text, keyword] = PARTS[language];
  const pattern = new RegExp(`(${comment})|(${text})|(${keyword})`, 'gm');
  const shown = [];
  let at = 0;
  for (const match of source.matchAll(pattern)) {
    const [whole, isComment, isText] = match;
    if (match.index > at) shown.push(source.slice(at, match.index));
    const kind = isComment ? styles.comment : isText ? styles.text : styles.keyword;
    shown.push(
      <span key={match.index} className={kind}>
        {whole}
      </span>,
    );
    at = match.index + whole.length;
  }
  return [...shown, source.slice(at)];
}
