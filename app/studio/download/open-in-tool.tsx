'use client';

import { ChevronDown } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { useAbortOnUnmount } from '../../ui/hooks.ts';
import { formatCount } from '../../ui/quantities.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { setPendingFiles } from '../files/pending-files.ts';
import type { BatchItem } from '../runs/batch.ts';
import { type NamedResult, withUniqueNames } from '../runs/result-names.ts';
import { getResults } from '../runs/results.ts';
import type { Tool } from '../tools/tool.ts';
import { fitsTool, TOOL_LIST } from '../tools/tools.ts';
import type { PrepareFiles } from './download-run.ts';
import styles from './stage-menu.module.css';

interface OpenInToolProps {
  /** Tool that made the result. */
  readonly slug: string;
  readonly result: NamedResult;
  /** Makes the file to pass on, where it differs from the result. */
  readonly make?: (signal: AbortSignal) => Promise<readonly NamedResult[]>;
  /** Whether several tools share a menu, where the room is for other things. */
  readonly inMenu?: boolean;
}

/** Offers the result to every other tool that accepts such a file, without leaving the device. */
export function OpenInTool(props: OpenInToolProps) {
  const { slug, result, make = async () => [result], inMenu = true } = props;
  const tools = toolsFor(result, slug);
  return <ToolButtons tools={tools} label="Use" make={make} inMenu={inMenu && tools.length > 1} />;
}

interface OpenAllInToolProps {
  readonly items: readonly BatchItem[];
  /** Tool that made the results. */
  readonly slug: string;
  readonly finish: PrepareFiles;
}

/** Offers the results of several files together to every other tool that accepts them all. */
export function OpenAllInTool({ items, slug, finish }: OpenAllInToolProps) {
  const done = items.filter((item) => getResults(item).length > 0);
  const results = done.flatMap(getResults);
  if (done.length < 2) return null;
  const tools = TOOL_LIST.filter((tool) => results.every((result) => toolsFor(result, slug).includes(tool)));
  const make = async (signal: AbortSignal) => {
    const options = { signal, onProgress: () => {}, onWarning: () => {} };
    const made: NamedResult[] = [];
    for (const item of done) made.push(...(await finish(item, options)));
    return withUniqueNames(made);
  };
  const label = `Use all ${formatCount(results.length, 'result')}`;
  return <ToolButtons tools={tools} label={label} make={make} inMenu={tools.length > 1} />;
}

function toolsFor({ name, file }: NamedResult, slug: string): readonly Tool[] {
  return TOOL_LIST.filter((tool) => tool.slug !== slug && fitsTool(tool, { name, type: file.mediaType }));
}

interface ToolButtonsProps {
  readonly tools: readonly Tool[];
  /** Start of each button's text. */
  readonly label: string;
  readonly make: (signal: AbortSignal) => Promise<readonly NamedResult[]>;
  readonly inMenu: boolean;
}

/** Buttons that make files and open each a tool with them. A failure is shown next to the menu, which may be closed. */
function ToolButtons({ tools, label, make, inMenu }: ToolButtonsProps) {
  const router = useRouter();
  const leaving = useAbortOnUnmount();
  const [making, setMaking] = useState<'nothing' | 'file' | { readonly failure: string }>('nothing');
  const carryTo = async (slug: string) => {
    setMaking('file');
    const signal = leaving.begin();
    try {
      const made = await make(signal);
      // The visitor has left the page.
      if (signal.aborted) return;
      setPendingFiles(made.map(({ name, file }) => new File([file.blob], name, { type: file.mediaType })));
      router.push(`/${slug}`);
      setMaking('nothing');
    } catch (error) {
      setMaking({ failure: describeFailure(error) });
    }
  };
  const buttons = tools.map((tool) => (
    <button
      key={tool.slug}
      type="button"
      className="button"
      disabled={making === 'file'}
      onClick={() => void carryTo(tool.slug)}
    >
      {label} in {tool.name}
    </button>
  ));
  return (
    <>
      {typeof making === 'object' && (
        <span role="alert" className="facts">
          {making.failure}
        </span>
      )}
      {inMenu ? <StageMenu label={`${label} in`}>{buttons}</StageMenu> : buttons}
    </>
  );
}

/** Menu of buttons that opens over the stage, and closes once one of them is pressed. */
export function StageMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { menu, onToggle } = useMenu();
  useEffect(() => {
    const details = menu.current;
    if (!details) return;
    const ending = new AbortController();
    const close = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest('button')) return;
      details.open = false;
      // What is not shown any more cannot have the focus.
      details.querySelector('summary')?.focus();
    };
    details.addEventListener('click', close, { signal: ending.signal });
    return () => ending.abort();
  }, [menu]);
  return (
    <details ref={menu} className={styles.menu} onToggle={onToggle}>
      <summary className="button">
        {label} <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <div className={styles.tools}>{children}</div>
    </details>
  );
}
