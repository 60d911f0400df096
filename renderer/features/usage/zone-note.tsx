import type { ReactNode } from "react";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { findClock, momentWords, ownZone, UTC } from "../../lib/moment-words.ts";

const DAY_MS = 86_400_000;

/** Names the time zone of the page, and its inaccuracies. */
export function ZoneNote({ usage, zone }: { readonly usage: UsageSeries; readonly zone: string }): ReactNode {
  const { t, language } = useSpeech();
  const now = useNow();
  const { utc_until: utcUntil, from } = usage;
  if (zone === UTC) {
    // Time in the user's zone at which the UTC day starts.
    const here = findClock(ownZone(), Math.floor(now / DAY_MS) * DAY_MS, language);
    return <p className="mt-2 px-1 text-meta text-faint">{t.usage.zone(here)}</p>;
  }
  const half = !findClock(zone, Math.floor(from / 3_600_000) * 3_600_000, language).endsWith("00");
  return (
    <p className="mt-2 px-1 text-meta text-faint">
      {t.usage.zoneHere(zone)}
      {half && ` ${t.usage.halfHours(findClock(zone, Math.floor(now / 3_600_000) * 3_600_000, language).slice(-2))}`}
      {utcUntil !== null && ` ${t.usage.utcUntil(momentWords(UTC, language).day(utcUntil))}`}
    </p>
  );
}
