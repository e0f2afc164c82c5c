'use client';

import { mediaKind } from '../files/media-kind.ts';
import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { UPSCALE_WORDING } from './wording.ts';

const isVideo = (file: File): boolean => mediaKind(file) === 'video';

export function UpscaleTool({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ToolFrame
      operationId="upscale"
      fields={fields}
      wording={UPSCALE_WORDING}
      paramsFor={(file, values) => (isVideo(file) ? { ...values, output_format: 'mp4' } : values)}
    />
  );
}
