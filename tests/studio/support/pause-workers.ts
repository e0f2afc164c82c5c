import type { Page } from 'playwright';

interface HeldWorkers {
  isHeld: boolean;
  readonly waiting: (() => void)[];
  readonly started: Worker[];
}

declare global {
  interface Window {
    heldWorkers: HeldWorkers;
  }
}

/** Lets a test hold back what a page tells its workers, from the next page on. */
export async function interceptWorkers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const held: HeldWorkers = { isHeld: false, waiting: [], started: [] };
    window.heldWorkers = held;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
      const send = () => Reflect.apply(post, this, args);
      if (held.isHeld) held.waiting.push(send);
      else send();
    };
    window.heldWorkers = held;
    window.Worker = new Proxy(Worker, {
      construct(target, args) {
        const worker: Worker = Reflect.construct(target, args);
        held.started.push(worker);
        return worker;
      },
    });
  });
}

export function pauseWorkers(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.heldWorkers.isHeld = true;
  });
}

export function resumeWorkers(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { heldWorkers } = window;
    heldWorkers.isHeld = false;
    for (const send of heldWorkers.waiting.splice(0)) send();
  });
}

/** Makes all workers of a page fail, as by an error in their code. */
export function failWorkers(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const worker of window.heldWorkers.started) {
      worker.dispatchEvent(new ErrorEvent('error', { message: 'It broke.' }));
    }
  });
}
