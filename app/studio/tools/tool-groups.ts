import type { MediaKind } from '../files/media-kind.ts';
import type { Tool } from './tool.ts';
import { TOOL_LIST } from './tools.ts';

/** Tools of one medium, as the menu and the home page list them. */
export interface ToolGroup {
  readonly medium: MediaKind;
  readonly title: string;
  readonly tools: readonly Tool[];
  /** Tools of another group that accept this medium, too: they read the sound of a video. */
  readonly alsoAcceptedBy: readonly Tool[];
}

const TITLES: Readonly<Record<MediaKind, string>> = { image: 'Image', audio: 'Sound', video: 'Video' };

/** Groups tools by the media they take. A tool that reads sound is under Sound only. Leaves out empty groups. */
export function groupTools(tools: readonly Tool[] = TOOL_LIST): readonly ToolGroup[] {
  const media = Object.keys(TITLES) as MediaKind[];
  const groups = media.map((medium): ToolGroup => {
    const accepting = tools.filter(({ takes }) => takes.includes(medium));
    const isElsewhere = ({ takes }: Tool) => medium === 'video' && takes.includes('audio');
    return {
      medium,
      title: TITLES[medium],
      tools: accepting.filter((tool) => !isElsewhere(tool)),
      alsoAcceptedBy: accepting.filter(isElsewhere),
    };
  });
  return groups.filter(({ tools: own, alsoAcceptedBy }) => own.length + alsoAcceptedBy.length > 0);
}
