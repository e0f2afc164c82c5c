/** Channel to all tabs and workers of the origin. */
const CHANNEL = 'weights';

let sender: BroadcastChannel | undefined;

/** Notifies every page that the stored weights have changed. */
export function notifyWeightChange(): void {
  sender ??= new BroadcastChannel(CHANNEL);
  sender.postMessage(null);
}

/**
 * Subscribes to changes.
 * @returns a function that unsubscribes
 */
export function onWeightChange(listen: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listen;
  return () => channel.close();
}
