/** All tabs and workers of the origin hear it. */
const CHANNEL = 'weights';

let teller: BroadcastChannel | undefined;

/** Tells every page that what is stored of the weights has changed: more has come, or something was deleted. */
export function tellWeightChange(): void {
  teller ??= new BroadcastChannel(CHANNEL);
  teller.postMessage(null);
}

/** @returns ends the listening */
export function onWeightChange(listen: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listen;
  return () => channel.close();
}
