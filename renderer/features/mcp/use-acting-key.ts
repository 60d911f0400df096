import { useState } from "react";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { useKeys } from "../../api/queries.ts";

/** The key that was chosen last, for the next tool that is opened. It is no secret: an id. */
let lastChosen: string | null = null;

export interface ActingKey {
  /** Those that can be let in; undefined until they are known. */
  readonly keys: readonly KeyView[] | undefined;
  /** The chosen one; the last used where none is chosen. */
  readonly key: KeyView | undefined;
  choose(id: string): void;
}

/** Which of the owner's keys a tool runs under. Disabled and expired ones are not offered. */
export function useActingKey(): ActingKey {
  const { data } = useKeys();
  const [chosen, setChosen] = useState(lastChosen);
  const keys = data
    ?.filter(({ state }) => state === "active" || state === "spent")
    .toSorted((a, b) => Number(a.state === "spent") - Number(b.state === "spent") || usedAt(b) - usedAt(a));
  return {
    keys,
    key: keys?.find(({ id }) => id === chosen) ?? keys?.[0],
    choose(id) {
      lastChosen = id;
      setChosen(id);
    },
  };
}

const usedAt = ({ last_used_at, created_at }: KeyView): number => last_used_at ?? created_at;
