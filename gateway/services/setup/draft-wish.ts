/** How a set-up is taken. */
export interface DraftWish {
  /** Records that the set-up does not name are removed, in the sections that it has. */
  readonly prune: boolean;
  /**
   * It is added to what is here, and is to change no meaning of a name: what cannot be taken is left out. Else it is the
   * whole of its sections, and nothing is taken where one record cannot be.
   */
  readonly partial: boolean;
  /** Routes that may take over a name which is served now; null: none ever may. */
  readonly takeOver?: readonly string[] | null;
  /** Names of all connections that the set-up had before keys of theirs were refused. */
  readonly brought?: readonly string[];
}
