import { getKeys } from '../../../models/core/records.ts';
import type { OperationId } from '../../../models/registry.ts';
import { convertTool } from '../convert/tool.ts';
import { diarizeTool } from '../diarize/tool.ts';
import { extendTool } from '../extend/tool.ts';
import { type MediaKind, mediaKind } from '../files/media-kind.ts';
import { moderateTool } from '../moderate/tool.ts';
import { removeBgTool } from '../remove-bg/tool.ts';
import { stemsTool } from '../stems/tool.ts';
import { upscaleTool } from '../upscale/tool.ts';
import type { Tool } from './tool.ts';

/** Tools of one medium, as the menu and the home page list them. */
export interface ToolGroup {
  readonly medium: MediaKind;
  readonly title: string;
  readonly tools: readonly Tool[];
}

const TITLES: Readonly<Record<MediaKind, string>> = { image: 'Image', audio: 'Sound', video: 'Video' };

/** Every operation has a page: leaving one out fails the type check. */
export const TOOLS: Readonly<Record<OperationId, Tool>> = {
  'media-convert-image': convertTool,
  'remove-bg': removeBgTool,
  'image-moderation': moderateTool,
  upscale: upscaleTool,
  'image-outpaint': extendTool,
  'audio-diarize': diarizeTool,
  'audio-separate-stems': stemsTool,
};

export const TOOL_LIST: readonly Tool[] = Object.values(TOOLS);

/** Reports whether a tool seems to accept a file. */
export function fitsTool(tool: Tool, file: { readonly name: string; readonly type: string }): boolean {
  const kind = mediaKind(file);
  return kind !== undefined && tool.takes.includes(kind);
}

/** Pages of the studio: they run on the device and so work offline. */
export const STUDIO_PATHS: readonly string[] = [
  '/',
  ...TOOL_LIST.map(({ slug }) => `/${slug}`),
  '/recipes',
  '/recent',
  '/settings',
];

/** Groups tools by the first medium that they take, each once. Leaves out empty groups. */
export function groupTools(tools: readonly Tool[] = TOOL_LIST): readonly ToolGroup[] {
  const media = getKeys(TITLES);
  const groups = media.map((medium): ToolGroup => {
    const own = tools.filter(({ takes }) => media.find((each) => takes.includes(each)) === medium);
    return { medium, title: TITLES[medium], tools: own };
  });
  return groups.filter(({ tools: own }) => own.length > 0);
}
