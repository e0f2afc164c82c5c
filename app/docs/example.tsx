import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExamplePanel, ExampleTabs } from './example-tabs.tsx';
import { Highlighted } from './highlight.tsx';
import { LANGUAGES, type Language } from './languages.ts';

const ALL = Object.keys(LANGUAGES) as Language[];

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
  const panels = await Promise.all(languages.map((language) => panelOf(name, language)));
  return <ExampleTabs label={label} panels={panels} />;
}

async function panelOf(name: string, language: Language): Promise<ExamplePanel> {
  const file = await readFile(
    join(process.cwd(), 'clients/examples', language, `${name}.${language}`),
    'utf8',
  );
  const text = file.trimEnd();
  return { language, text, shown: <Highlighted language={language} source={text} /> };
}
