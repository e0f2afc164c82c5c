import type { Page } from 'playwright';

/** Parts of React's tree that the watch reads. */
interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
  readonly stateNode: unknown;
}

declare global {
  interface Window {
    /** Elements of the components that each commit has rendered: the first element of each. */
    commits: Element[][];
    __REACT_DEVTOOLS_GLOBAL_HOOK__: unknown;
  }
}

/** Prepares a page so that `window.commits` tells which components React renders, as its developer tools do. */
export async function watchRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const HOST = 5;
    /** Function components, also within `memo` and `forwardRef`. */
    const FUNCTIONS = [0, 11, 14, 15];
    const PERFORMED_WORK = 1;
    const getElement = (fiber: Fiber | null): Element | undefined => {
      if (!fiber) return undefined;
      return fiber.tag === HOST ? (fiber.stateNode as Element) : getElement(fiber.child);
    };
    const rendered = (fiber: Fiber, before: Fiber | null): Element[] => {
      const isRendered = FUNCTIONS.includes(fiber.tag) && (fiber.flags & PERFORMED_WORK) !== 0;
      const own = isRendered ? [getElement(fiber)].filter((element) => element !== undefined) : [];
      // React leaves the children as they are where nothing below has changed.
      if (fiber.child === before?.child) return own;
      for (let child = fiber.child; child; child = child.sibling)
        own.push(...rendered(child, child.alternate));
      return own;
    };
    window.commits = [];
    window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      renderers: new Map(),
      inject: () => 1,
      onCommitFiberRoot(_id: number, { current }: { readonly current: Fiber }) {
        window.commits.push(rendered(current, current.alternate));
      },
      onCommitFiberUnmount() {},
      onPostCommitFiberRoot() {},
    };
  });
}
