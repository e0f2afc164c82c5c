'use client';

import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { REMOVE_BG_WORDING } from './wording.ts';

export function RemoveBgTool({ fields }: { readonly fields: readonly Field[] }) {
  return <ToolFrame operationId="remove-bg" fields={fields} wording={REMOVE_BG_WORDING} />;
}
