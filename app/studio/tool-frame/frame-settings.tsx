'use client';

import type { ReactNode } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { AllFiles } from '../download/all-files.tsx';
import type { DownloadOptions } from '../download/download-run.ts';
import { ParamsForm } from '../form/params-form.tsx';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Wording } from '../tools/wording.ts';
import { LocationChoice } from './location-choice.tsx';
import type { ToolState } from './use-tool.ts';

interface FrameSettingsProps {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  readonly wording: Wording;
  readonly tool: ToolState;
  readonly download: DownloadOptions;
  /** Settings beside the operation's own params. */
  readonly children: ReactNode;
}

/** Shows the operation's params, the tool's own settings, and what concerns all files. */
export function FrameSettings(props: FrameSettingsProps) {
  const { operationId, fields, wording, tool, download, children } = props;
  const { values } = useRunSettings();
  const { isRunning, selected } = useRunOutline();
  const { applyAndStart } = useRunActions();
  return (
    <>
      <ParamsForm
        fields={fields}
        wording={wording}
        values={values}
        disabled={isRunning}
        onChange={applyAndStart}
      />
      {children}
      <LocationChoice />
      {selected && (
        <AllFiles slug={TOOLS[operationId].slug} finish={download.finish} onRemove={() => tool.remove()} />
      )}
    </>
  );
}

/** Names the settings in a few words. */
export function SettingsSummary({ summary }: { readonly summary: (values: ParamValues) => string }) {
  return summary(useRunSettings().values);
}
