/** Page that can be hidden and shown. */
export class StandInPage extends EventTarget {
  hidden = false;

  hide() {
    this.#set(true);
  }

  show() {
    this.#set(false);
  }

  #set(hidden: boolean) {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}
