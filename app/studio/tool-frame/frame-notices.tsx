'use client';

import type { OperationId } from '../../../models/registry.ts';
import { LinkNotice } from '../add-files/link-notice.tsx';
import { RefusalNotice } from '../add-files/refusal-notice.tsx';
import { useRunFiles } from '../runs/runs-context.ts';
import { SessionNotice } from '../runs/session-notice.tsx';
import { TOOLS } from '../tools/tools.ts';
import styles from './tool-frame.module.css';
import type { ToolState } from './use-tool.ts';

interface FrameNoticesProps {
  readonly operationId: OperationId;
  readonly tool: ToolState;
}

/** Says what became of links, of an earlier session and of files that the tool does not accept. */
export function FrameNotices({ operationId, tool }: FrameNoticesProps) {
  return (
    <div className={styles.notices}>
      <LinkNotice links={tool.links} />
      <StoredFilesNotice />
      <RefusalNotice tool={TOOLS[operationId]} refused={tool.refused} onClose={tool.dismissRefused} />
    </div>
  );
}

function StoredFilesNotice() {
  const { items, unsaved } = useRunFiles();
  return <SessionNotice items={items} unsaved={unsaved} />;
}
