import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTurn } from "../../api/session-queries.ts";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { MessagePart } from "./message-part.tsx";

/** Distance ahead of the viewport at which content is fetched, so that scrolling does not jump. */
const AHEAD = "600px";

/** Parts that a request added to its conversation, if it was recorded; fetched when it is nearly in sight. */
export function TurnTalk({ id }: { readonly id: string }): ReactNode {
  const { sessions: t } = useMessages();
  const [near, setNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || near) return undefined;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);
  const { data: turn, error, refetch } = useTurn(id, near);
  if (turn === undefined) {
    return (
      <div ref={place} className="min-h-16" aria-busy={near && error === null ? true : undefined}>
        {error !== null ? <Failure error={error} onRetry={() => void refetch()} /> : near && <SkeletonRows rows={2} />}
      </div>
    );
  }
  if (!turn.recorded) return null;
  return (
    <div className="mt-1 border-t border-line/60 pt-1">
      {turn.more > 0 && <p className="text-meta text-faint">{t.more(formatCount(turn.more))}</p>}
      <dl>
        {turn.asked.map((part, place) => (
          <MessagePart key={`asked ${place}`} part={part} />
        ))}
        {turn.responded.map((part, place) => (
          <MessagePart key={`responded ${place}`} part={part} />
        ))}
      </dl>
    </div>
  );
}
