'use client';

import { useRouter } from 'next/navigation';
import { carryFiles } from '../files/carry.ts';
import { nounFor } from '../files/media-kind.ts';
import { count } from '../text/quantities.ts';
import { toolsForRefused } from '../tools/refusals.ts';
import type { Tool } from '../tools/tools.ts';

interface OpenRefusedProps {
  /** Tool that refuses the files. */
  readonly tool: Tool;
  readonly files: readonly File[];
}

/** Buttons that open refused files in the tools that read them. */
export function OpenRefused({ tool, files }: OpenRefusedProps) {
  const router = useRouter();
  const openIn = ({ slug }: Tool, fitting: readonly File[]) => {
    carryFiles(fitting);
    router.push(`/${slug}`);
  };
  return toolsForRefused(tool, files).map(([other, fitting]) => (
    <button key={other.slug} type="button" className="button" onClick={() => openIn(other, fitting)}>
      {fitting.length === 1 ? 'Open it' : `Open ${count(fitting.length, nounFor(fitting))}`} in {other.name}
    </button>
  ));
}
