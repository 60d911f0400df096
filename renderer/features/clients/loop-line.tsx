import type { ReactNode } from "react";
import type { ClientLoop } from "../../../gateway/contract/clients.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** Describes where requests would loop back. */
export function LoopLine({ loop }: { readonly loop: ClientLoop }): ReactNode {
  const t = useMessages();
  const { kind, address, name = "", relay = "" } = loop;
  switch (kind) {
    case "connection":
      return t.clients.loops.connection(name, address);
    case "connection-relay":
      return t.clients.loops["connection-relay"](name, relay);
    case "client-relay":
      return t.clients.loops["client-relay"](address, relay);
    case "client-connection":
      return t.clients.loops["client-connection"](address, name);
  }
}
