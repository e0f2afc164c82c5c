'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { messageOf } from '../../../models/errors.ts';
import type { NamedResult } from '../batch/result-names.ts';
import { carryFiles } from '../files/carry.ts';
import { fitsTool, TOOL_LIST } from '../tools/tools.ts';
import { useAbortOnUnmount } from './use-abort-on-unmount.ts';

interface OpenInToolProps {
  /** Tool that made the result. */
  readonly slug: string;
  readonly result: NamedResult;
  /** Makes the file to pass on, where it differs from the result. */
  readonly make?: (signal: AbortSignal) => Promise<readonly NamedResult[]>;
}

/** Offers the result to every other tool that accepts such a file, without leaving the device. */
export function OpenInTool({ slug, result, make = async () => [result] }: OpenInToolProps) {
  const router = useRouter();
  const leaving = useAbortOnUnmount();
  const [making, setMaking] = useState<'nothing' | 'file' | { readonly failure: string }>('nothing');
  const file = { name: result.name, type: result.file.mediaType };
  const others = TOOL_LIST.filter((tool) => tool.slug !== slug && fitsTool(tool, file));
  const carryTo = async (slug: string) => {
    setMaking('file');
    try {
      const made = await make(leaving.begin());
      carryFiles(made.map(({ name, file }) => new File([file.blob], name, { type: file.mediaType })));
      router.push(`/${slug}`);
      setMaking('nothing');
    } catch (error) {
      setMaking({ failure: messageOf(error) });
    }
  };
  return (
    <>
      {typeof making === 'object' && (
        <span role="alert" className="facts">
          {making.failure}
        </span>
      )}
      {others.map((tool) => (
        <button
          key={tool.slug}
          type="button"
          className="button"
          disabled={making === 'file'}
          onClick={() => void carryTo(tool.slug)}
        >
          Use in {tool.name}
        </button>
      ))}
    </>
  );
}
