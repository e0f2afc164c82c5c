import { withArticle } from '../../../models/core/operation/text.ts';
import { getNoun, getNouns, mediaKind } from '../files/media-kind.ts';
import type { Tool } from './tool.ts';
import { fitsTool, TOOL_LIST } from './tools.ts';

/** File that a tool does not read, and why. */
export interface Refusal {
  readonly name: string;
  /** Absent for a file that the browser could not read. */
  readonly file?: File;
  /** Continues the name: `is a video`. */
  readonly reason: string;
}

/** Image formats, as they are named to visitors. */
const IMAGES = 'JPG, PNG, WebP, HEIC, AVIF, TIFF, GIF and BMP images';

/** Says why a tool does not read a file. */
export function getRefusal(tool: Tool, file: File): Refusal {
  const { name, size } = file;
  if (size === 0) return { name, file, reason: 'is empty' };
  const kind = mediaKind(file);
  if (!kind) return { name, file, reason: `is not ${withArticle(tool.takes.map(getNoun).join(' or '))}` };
  return { name, file, reason: `is ${withArticle(getNoun(kind))}` };
}

/** Returns each other tool that reads some of the files that one refuses, with those. */
export function toolsForRefused(refusing: Tool, files: readonly File[]): readonly [Tool, readonly File[]][] {
  return TOOL_LIST.filter(({ slug }) => slug !== refusing.slug).flatMap((tool) => {
    const fitting = files.filter((file) => fitsTool(tool, file));
    return fitting.length > 0 ? [[tool, fitting] as [Tool, readonly File[]]] : [];
  });
}

/** Lists what a tool reads, in one sentence: `This tool reads JPG, PNG and WebP images, and videos.` */
export function describeAccepted({ takes }: Tool): string {
  const others = takes.filter((kind) => kind !== 'image');
  const kinds = [
    ...(takes.includes('image') ? [IMAGES] : []),
    ...(others.length > 0 ? [getNouns(others)] : []),
  ];
  return `This tool reads ${kinds.join(', and ')}.`;
}
