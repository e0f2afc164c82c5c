import { mediaKind, nounOf, nounsOf } from '../files/media-kind.ts';
import { TOOL_LIST, type Tool } from './tools.ts';

/** File that a tool does not read, and why. */
export interface Refusal {
  readonly name: string;
  /** Continues the name: `is a video`. */
  readonly reason: string;
}

/** Image formats by extension, as they are named to visitors. */
const IMAGE_NAMES = {
  jpg: 'JPG',
  png: 'PNG',
  webp: 'WebP',
  heic: 'HEIC',
  avif: 'AVIF',
  tiff: 'TIFF',
  gif: 'GIF',
  bmp: 'BMP',
} as const;

/** Says why a tool does not read a file. */
export function refusalOf(tool: Tool, file: { readonly name: string; readonly type: string }): Refusal {
  const kind = mediaKind(file);
  if (!kind) return { name: file.name, reason: `is not ${withArticle(tool.takes.map(nounOf).join(' or '))}` };
  if (!tool.takes.includes(kind)) {
    const other = TOOL_LIST.find(({ takes }) => takes.includes(kind));
    const way = other ? `: open it in ${other.name}` : '';
    return { name: file.name, reason: `is ${withArticle(nounOf(kind))}${way}` };
  }
  const format = file.type.split('/').pop() || file.name.split('.').pop() || '';
  return { name: file.name, reason: `is a ${format.toUpperCase()} file` };
}

/** Lists what a tool reads, in one sentence: `This tool reads JPG, PNG and WebP images, and videos.` */
export function describeReads({ takes, leavesOut = [] }: Tool): string {
  const formats = Object.entries(IMAGE_NAMES).flatMap(([extension, name]) =>
    leavesOut.includes(extension) ? [] : [name],
  );
  const images = `${formats.slice(0, -1).join(', ')} and ${formats.at(-1)} images`;
  const others = takes.filter((kind) => kind !== 'image');
  const kinds = [
    ...(takes.includes('image') ? [images] : []),
    ...(others.length > 0 ? [nounsOf(others)] : []),
  ];
  return `This tool reads ${kinds.join(', and ')}.`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
