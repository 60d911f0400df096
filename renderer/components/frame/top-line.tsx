import { useSyncExternalStore, type ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useMessages } from "../../lib/i18n.tsx";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** A thin line on top while the machine is offline, or while Postern itself does not answer. */
export function TopLine(): ReactNode {
  const t = useMessages();
  const { connected } = useGateway();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const text = connected === false ? t.app.disconnected : online ? null : t.app.offline;
  return (
    <output className="block">
      {text !== null && (
        <p className="late bg-warning-soft px-3 py-1 text-center text-meta text-warning-text forced-colors:border-b">
          {text}
        </p>
      )}
    </output>
  );
}
