'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { carryFiles } from '../carry.ts';
import { ChooseFiles } from '../choose-files.tsx';
import { LinkNotice } from '../link-notice.tsx';
import { fetchSample, RIDGE } from '../samples.ts';
import type { Tool } from '../tools.ts';
import { useFileDrop } from '../use-file-drop.ts';
import { useLinks } from '../use-links.ts';
import { Offer } from './offer.tsx';
import styles from './welcome.module.css';

/** The whole first window is the drop zone. What was dropped decides what is offered. */
export function Welcome() {
  const router = useRouter();
  const [files, setFiles] = useState<readonly File[]>([]);
  const links = useLinks(setFiles);
  const dragging = useFileDrop({ onFiles: setFiles, onLinks: links.take });

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
                Convert pictures and cut out what is in them, on your own device. No upload, no account, no
                cost.
              </p>
              <div className={styles.start}>
                <ChooseFiles label="Choose photos" onFiles={setFiles} />
                <p className={styles.hint}>or drop them anywhere, or paste; a link will do</p>
              </div>
              <LinkNotice links={links} />
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
                <span>Nothing at hand?</span>
                <button
                  type="button"
                  className={styles.sample}
                  onClick={async () => setFiles([await fetchSample(RIDGE)])}
                >
                  Try it with this one
                </button>
              </figcaption>
            </figure>
          </>
        )}
      </div>
      <p className={styles.dropHere} aria-hidden={!dragging}>
        Let go
      </p>
    </section>
  );
}
