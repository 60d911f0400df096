/** How a set-up is taken. */
export interface DraftWish {
  /** Records that the set-up does not name are removed, in the sections that it has. */
  readonly prune: boolean;
  /**
   * Whether it only adds to the current set-up without changing the meaning of names, skipping conflicts. If false, it
   * replaces its sections completely, and any conflict rejects all of it.
   */
  readonly partial: boolean;
  /** Routes that may take over a name which is served now; null: none ever may. */
  readonly takeOver?: readonly string[] | null;
  /** Names of all connections that the set-up had before keys of theirs were refused. */
  readonly brought?: readonly string[];
}
