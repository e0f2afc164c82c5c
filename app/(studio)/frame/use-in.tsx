'use client';

import { useRouter } from 'next/navigation';
import { carryFiles } from '../carry.ts';
import { fitsTool, TOOL_LIST } from '../tools.ts';
import type { NamedResult } from './results.ts';

interface UseInProps {
  /** The tool that made the result. */
  readonly slug: string;
  readonly result: NamedResult;
  /** Makes what is carried on, where that is more than the result itself. */
  readonly make?: () => Promise<readonly NamedResult[]>;
}

/** Ways on: every other tool that takes such a file gets it without its leaving the device. */
export function UseIn({ slug, result, make = async () => [result] }: UseInProps) {
  const router = useRouter();
  const file = { name: result.name, type: result.file.mediaType };
  const others = TOOL_LIST.filter((tool) => tool.slug !== slug && fitsTool(tool, file));
  return others.map((tool) => (
    <button
      key={tool.slug}
      type="button"
      className="button"
      onClick={async () => {
        const made = await make();
        carryFiles(made.map(({ name, file }) => new File([file.blob], name, { type: file.mediaType })));
        router.push(`/${tool.slug}`);
      }}
    >
      Use in {tool.verb}
    </button>
  ));
}
