import { useState } from "react";
import { useMessages } from "../../../lib/i18n.tsx";
import { PictureError, type Picture } from "./picture.ts";

export interface Taking {
  /** Why the last one could not be taken. */
  readonly problem: string | null;
  take(pictures: readonly Promise<Picture>[]): Promise<void>;
}

/** Takes pictures in as they are read, and says which could not be. */
export function useTaking(onTake: (pictures: readonly Picture[]) => void): Taking {
  const t = useMessages();
  const [problem, setProblem] = useState<string | null>(null);
  return {
    problem,
    async take(pictures) {
      const read = await Promise.allSettled(pictures);
      const taken = read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const failed = read.find((one) => one.status === "rejected");
      const reason: unknown = failed?.reason;
      setProblem(
        failed === undefined
          ? null
          : t.playground.unreadable[reason instanceof PictureError ? reason.reason : "broken"],
      );
      if (taken.length > 0) onTake(taken);
    },
  };
}
