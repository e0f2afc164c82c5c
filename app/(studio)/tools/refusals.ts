import { mediaKind, nounOf, nounsOf } from '../files/media-kind.ts';
import { fitsTool, TOOL_LIST, type Tool } from './tools.ts';

/** File that a tool does not read, and why. */
export interface Refusal {
  readonly file: File;
  /** Continues the name: `is a video`. */
  readonly reason: string;
}

/** Image formats, as they are named to visitors. */
const IMAGES = 'JPG, PNG, WebP, HEIC, AVIF, TIFF, GIF and BMP images';

/** Says why a tool does not read a file. */
export function refusalOf(tool: Tool, file: File): Refusal {
  const kind = mediaKind(file);
  if (!kind) return { file, reason: `is not ${withArticle(tool.takes.map(nounOf).join(' or '))}` };
  return { file, reason: `is ${withArticle(nounOf(kind))}` };
}

/** Returns each tool that reads some of the refused files, with those. */
export function toolsForRefused(refused: readonly Refusal[]): readonly [Tool, readonly File[]][] {
  return TOOL_LIST.flatMap((tool) => {
    const files = refused.map(({ file }) => file).filter((file) => fitsTool(tool, file));
    return files.length > 0 ? [[tool, files] as [Tool, readonly File[]]] : [];
  });
}

/** Lists what a tool reads, in one sentence: `This tool reads JPG, PNG and WebP images, and videos.` */
export function describeReads({ takes }: Tool): string {
  const others = takes.filter((kind) => kind !== 'image');
  const kinds = [
    ...(takes.includes('image') ? [IMAGES] : []),
    ...(others.length > 0 ? [nounsOf(others)] : []),
  ];
  return `This tool reads ${kinds.join(', and ')}.`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
