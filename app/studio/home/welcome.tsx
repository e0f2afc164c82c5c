'use client';

import { useRouter } from 'next/navigation';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { LinkNotice } from '../add-files/link-controls.tsx';
import { describeUnreadable, useFileDrop } from '../add-files/use-file-drop.ts';
import { useIncomingFiles } from '../add-files/use-incoming-files.ts';
import { useLinks } from '../add-files/use-links.ts';
import { ChooseFiles, TakePhoto } from '../files/choose-files.tsx';
import type { RecognisedFile } from '../files/kind-by-bytes.ts';
import { setPendingFiles } from '../files/pending-files.ts';
import { recogniseFiles } from '../files/recognise.ts';
import type { Tool } from '../tools/tool.ts';
import { HeroExamples } from './hero-examples.tsx';
import styles from './welcome.module.css';

interface DroppedFiles {
  readonly files: readonly RecognisedFile[];
  /** Names of the files of the last drop that the browser could not read. */
  readonly unreadable: readonly string[];
  /** Recognises files by their bytes, and adds them. */
  add(files: readonly File[], unreadable?: readonly string[]): void;
  clear(): void;
}

/** Most visits begin without files. */
const Offer = lazy(async () => ({ default: (await import('./tool-offer.tsx')).ToolOffer }));

/**
 * Landing section: the whole first window is a drop zone, and the dropped files decide which tools it offers.
 * @param tools list of all of them
 */
export function Welcome({ tools }: { readonly tools: ReactNode }) {
  const router = useRouter();
  const { files, unreadable, add, clear } = useDroppedFiles();
  const links = useLinks(add);
  const dragging = useFileDrop({ onFiles: add, onLinks: links.addLinks });
  const shareProblem = useIncomingFiles({ onFiles: add, onLinks: links.offerLinks });
  const openTool = (tool: Tool, chosen: readonly File[]) => {
    setPendingFiles(chosen);
    router.push(`/${tool.slug}`);
  };
  return (
    <section className={styles.welcome} data-dragging={dragging} aria-labelledby="welcome">
      <div className={styles.easel}>
        {files.length > 0 ? (
          <Suspense>
            <Offer found={files} unreadable={unreadable} onOpen={openTool} onBack={clear} onMore={add} />
          </Suspense>
        ) : (
          <>
            <div className={styles.words}>
              <Invitation onFiles={add} />
              <LinkNotice links={links} />
              {shareProblem && <p role="alert">{shareProblem}</p>}
              {unreadable.length > 0 && <p role="alert">{describeUnreadable(unreadable)}</p>}
            </div>
            <HeroExamples onFiles={add} />
            <div className={styles.tools}>{tools}</div>
          </>
        )}
      </div>
      <p className={styles.dropHere} aria-hidden={!dragging}>
        Drop to add
      </p>
    </section>
  );
}

interface InvitationProps {
  readonly onFiles: (files: readonly File[]) => void;
}

function Invitation({ onFiles }: InvitationProps) {
  return (
    <>
      <h1 id="welcome">
        <span className="for-mouse">Drop anything.</span>
        <span className="for-touch">Open anything.</span>
      </h1>
      <p>Free tools for images, video and sound, on your device. Nothing is uploaded.</p>
      <div className={styles.start}>
        <ChooseFiles label="Choose files" onFiles={onFiles} />
        <TakePhoto onFiles={onFiles} />
        <p className="note for-mouse">or drop or paste them, or a link.</p>
      </div>
    </>
  );
}

/** Files that the visitor gave to the home page. */
function useDroppedFiles(): DroppedFiles {
  const [files, setFiles] = useState<readonly RecognisedFile[]>([]);
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const add = async (added: readonly File[], lost: readonly string[] = []) => {
    setUnreadable(lost);
    const recognised = await recogniseFiles(added);
    setFiles((before) => [...before, ...recognised]);
  };
  const clear = () => {
    setFiles([]);
    setUnreadable([]);
  };
  return { files, unreadable, add: (...drop) => void add(...drop), clear };
}
