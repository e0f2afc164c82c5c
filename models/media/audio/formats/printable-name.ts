/** Names come from files, and stand in messages. */
const NAME_LENGTH_MAX = 60;

/** Returns the start of a text without control characters and halves of pairs, which databases refuse. */
export function printableName(text: string): string {
  return text
    .slice(0, NAME_LENGTH_MAX)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
}
