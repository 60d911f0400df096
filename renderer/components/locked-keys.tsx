import type { ReactNode } from "react";
import { useConnections } from "../api/queries.ts";
import { useMessages } from "../lib/i18n.tsx";
import { routeHash } from "../lib/router.ts";
import { NoticeLine } from "./ui/states.tsx";

/**
 * Shows which provider keys cannot be decrypted, with the two remedies; empty if all can.
 * @param props.elsewhere with a link to the page where they are replaced
 */
export function LockedKeys({ elsewhere = false }: { readonly elsewhere?: boolean }): ReactNode {
  const t = useMessages();
  const { data: connections = [] } = useConnections();
  const locked = connections.flatMap(({ name, credentials }) => {
    const hints = credentials.filter(({ state }) => state === "locked").map(({ hint }) => hint);
    return hints.length === 0 ? [] : [`${name} (${hints.join(", ")})`];
  });
  if (locked.length === 0) return null;
  return (
    <NoticeLine level="warning">
      {t.connections.lockedKeys(locked.join(", "))}{" "}
      {elsewhere && <a href={routeHash("connections")}>{t.pages.providers}</a>}
    </NoticeLine>
  );
}
