'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { carryFiles } from '../files/carry.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import { SampleButton } from '../files/sample-button.tsx';
import { RIDGE } from '../files/samples.ts';
import { useFileDrop } from '../files/use-file-drop.ts';
import { useIncomingFiles } from '../files/use-incoming-files.ts';
import { LinkNotice } from '../links/link-notice.tsx';
import { useLinks } from '../links/use-links.ts';
import type { Tool } from '../tools/tools.ts';
import { Offer } from './offer.tsx';
import styles from './welcome.module.css';

/** Landing section: the whole first window is a drop zone, and the dropped files decide which tools it offers. */
export function Welcome() {
  const router = useRouter();
  const [files, setFiles] = useState<readonly File[]>([]);
  const links = useLinks(setFiles);
  const dragging = useFileDrop({ onFiles: setFiles, onLinks: links.addLinks });
  const shareProblem = useIncomingFiles({ onFiles: setFiles, onLinks: links.addLinks });

  const openTool = (tool: Tool, chosen: readonly File[]) => {
    carryFiles(chosen);
    router.push(`/${tool.slug}`);
  };

  return (
    <section className={styles.welcome} data-dragging={dragging} aria-labelledby="welcome">
      <div className={styles.easel}>
        {files.length > 0 ? (
          <Offer files={files} onOpen={openTool} onBack={() => setFiles([])} onMore={setFiles} />
        ) : (
          <>
            <div className={styles.words}>
              <h1 id="welcome">Drop your photos. They are developed right here.</h1>
              <p>
                Convert images and remove backgrounds, on your own device. No upload, no account, no cost.
              </p>
              <div className={styles.start}>
                <ChooseFiles label="Choose photos" onFiles={setFiles} />
                <p className={styles.hint}>or drop or paste them anywhere. Links work too.</p>
              </div>
              <LinkNotice links={links} />
              {shareProblem && <p role="alert">{shareProblem}</p>}
            </div>
            <figure className={styles.print}>
              <img
                src={RIDGE.preview.url}
                width={RIDGE.preview.width}
                height={RIDGE.preview.height}
                alt={RIDGE.alt}
                className="develops"
                fetchPriority="high"
              />
              <figcaption>
                <span>No photo handy?</span>
                <SampleButton sample={RIDGE} className={styles.sample} onFiles={setFiles}>
                  Try it with this one
                </SampleButton>
              </figcaption>
            </figure>
          </>
        )}
      </div>
      <p className={styles.dropHere} aria-hidden={!dragging}>
        Drop to add
      </p>
    </section>
  );
}
