'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { messageOf } from '../../../models/errors.ts';
import { carryFiles } from '../carry.ts';
import { fitsTool, TOOL_LIST } from '../tools.ts';
import type { NamedResult } from './results.ts';
import { useLeaving } from './use-leaving.ts';

interface UseInProps {
  /** The tool that made the result. */
  readonly slug: string;
  readonly result: NamedResult;
  /** Makes what is carried on, where that is more than the result itself. */
  readonly make?: (signal: AbortSignal) => Promise<readonly NamedResult[]>;
}

/** Ways on: every other tool that takes such a file gets it without its leaving the device. */
export function UseIn({ slug, result, make = async () => [result] }: UseInProps) {
  const router = useRouter();
  const leaving = useLeaving();
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
          Use in {tool.verb}
        </button>
      ))}
    </>
  );
}
