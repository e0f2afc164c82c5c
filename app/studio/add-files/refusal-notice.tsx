'use client';

import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useLoaded } from '../../ui/hooks.ts';
import { formatCount } from '../../ui/quantities.ts';
import { nounFor } from '../files/media-kind.ts';
import { setPendingFiles } from '../files/pending-files.ts';
import { describeAccepted, type Refusal, toolsForRefused } from '../tools/refusals.ts';
import type { Tool } from '../tools/tool.ts';
import styles from './refusal-notice.module.css';

interface OpenRefusedProps {
  /** Tool that refuses the files. */
  readonly tool: Tool;
  readonly files: readonly File[];
}

interface OpenBeyondLimitProps {
  /** Tool whose limit the file exceeds. */
  readonly tool: Tool;
  readonly file: File;
}

interface OpenButtonProps {
  readonly tool: Tool;
  readonly files: readonly File[];
  /** Whether nothing else was refused, so that "it" is plain. */
  readonly isOnly: boolean;
}

/** Files named before the rest is counted. */
const NAMED_MAX = 3;

interface RefusalNoticeProps {
  readonly tool: Tool;
  readonly refused: readonly Refusal[];
  readonly onClose: () => void;
}

/** Says which files were skipped, why, and what the tool reads; and opens them in the tools that read them. */
export function RefusalNotice({ tool, refused, onClose }: RefusalNoticeProps) {
  if (refused.length === 0) return null;
  // Those that another tool reads first: the buttons below open them.
  const useful = new Set(refused.filter(({ file }) => file && toolsForRefused(tool, [file]).length > 0));
  const sorted = refused.toSorted((one, other) => Number(useful.has(other)) - Number(useful.has(one)));
  const named = sorted.slice(0, NAMED_MAX).map(describeRefusal);
  const others = sorted.slice(NAMED_MAX);
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.words}>
        <p>
          Skipped: {named.join('; ')}
          {others.length > 0 && `; and ${others.length} more`}. {describeAccepted(tool)}
        </p>
        {others.length > 0 && (
          <details>
            <summary>Show the other {others.length === 1 ? 'file' : `${others.length} files`}</summary>
            <ul>
              {others.map((refusal) => (
                <li key={`${refusal.name} ${refusal.file?.size} ${refusal.file?.lastModified}`}>
                  {describeRefusal(refusal)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <OpenRefused tool={tool} files={refused.flatMap(({ file }) => file ?? [])} />
      <button type="button" className="button-icon" aria-label="Close this notice" onClick={onClose}>
        <X size={18} strokeWidth={1.5} aria-hidden />
      </button>
    </div>
  );
}

const describeRefusal = ({ name, reason }: Refusal): string => `${name} ${reason}`;

/** Buttons that open refused files in the tools that read them. */
function OpenRefused({ tool, files }: OpenRefusedProps) {
  return toolsForRefused(tool, files).map(([other, fitting]) => (
    <OpenButton key={other.slug} tool={other} files={fitting} isOnly={files.length === 1} />
  ));
}

/** Buttons that open a file in the tools whose limits it keeps; says so where there is none. */
export function OpenBeyondLimit({ tool, file }: OpenBeyondLimitProps) {
  // The definitions come over the network, which may be gone: then nothing is offered.
  const tools = useLoaded(file, () => toolsThatRun(tool, file));
  if (!tools) return null;
  if (tools.length === 0) return <p>No other tool here takes this file.</p>;
  return tools.map((other) => <OpenButton key={other.slug} tool={other} files={[file]} isOnly />);
}

/** Button that opens files in a tool. */
function OpenButton({ tool: { slug, name }, files, isOnly }: OpenButtonProps) {
  const router = useRouter();
  const open = () => {
    setPendingFiles(files);
    router.push(`/${slug}`);
  };
  return (
    <button type="button" className="button" onClick={open}>
      Open {isOnly ? 'it' : describeFiles(files)} in {name}
    </button>
  );
}

/** Names a single file, and counts several. */
function describeFiles(files: readonly File[]): string {
  const [only, ...others] = files;
  return only && others.length === 0 ? only.name : formatCount(files.length, nounFor(files));
}

/**
 * Returns the other tools whose limits a file keeps that one tool refuses. Loads the operation definitions, so that no
 * page bundle contains them.
 */
async function toolsThatRun(refusing: Tool, file: File): Promise<readonly Tool[]> {
  const [{ loadOperations }, { requiredParams }] = await Promise.all([
    import('../../../workers/operation/load-operations.ts'),
    import('../../../models/core/runtime/required-params.ts'),
  ]);
  const operations = await loadOperations();
  const tools = toolsForRefused(refusing, [file]).map(([tool]) => tool);
  const isTaken = async ({ operationId }: Tool) => {
    const operation = operations[operationId];
    return operation.checkOnDevice(file, requiredParams(operation.params)).then(
      () => true,
      () => false,
    );
  };
  const taken = await Promise.all(tools.map(isTaken));
  return tools.filter((_tool, at) => taken[at]);
}
