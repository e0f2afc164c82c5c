import type { Page } from 'playwright';

/** Lists what a visitor cannot reach: controls beyond the edge, and clipped text without an ellipsis. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth - clientWidth} px too wide`);
    for (const element of document.querySelectorAll<HTMLElement>('main *, footer *')) {
      // What a closed menu holds has a box as soon as a style asks for it, but it is invisible.
      if (!element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const name = `${element.tagName} "${element.textContent?.slice(0, 30)}"`;
      const { left, right, width } = element.getBoundingClientRect();
      if (element.matches('a, button') && width > 0 && (left < 0 || right > clientWidth)) {
        faults.push(`${name} lies beyond the edge`);
      }
      const isCut = style.overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1;
      if (
        isCut &&
        style.textOverflow !== 'ellipsis' &&
        style.clipPath === 'none' &&
        element.innerText.trim()
      ) {
        faults.push(`${name} is cut`);
      }
    }
    return faults;
  });
}
