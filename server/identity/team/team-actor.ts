/** Member who changes something about a team. */
export interface TeamActor {
  readonly accountId: string;
  readonly userId: string;
  /** IP address of the request, for the log. */
  readonly address: string | null;
}
