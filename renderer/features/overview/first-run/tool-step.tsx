import type { ReactNode } from "react";
import type { ClientView } from "../../../../gateway/contract/clients.ts";
import { Button } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { navigate, routeHash } from "../../../lib/router.ts";

/** The others are a press away, on their page. */
const MOST_OFFERED = 3;

/** Those that can be connected by a press: Claude Code first, then what is found on this machine. */
function offered(clients: readonly ClientView[]): readonly ClientView[] {
  const able = clients.filter(({ connected, writes }) => connected === null && writes.length > 0);
  const first = able.filter(({ id }) => id === "claude-code");
  return [...first, ...able.filter(({ id, found }) => found && id !== "claude-code")].slice(0, MOST_OFFERED);
}

export function ToolStep({ clients }: { readonly clients: readonly ClientView[] }): ReactNode {
  const t = useMessages();
  const connected = clients.filter((client) => client.connected !== null).map(({ name }) => name);
  return (
    <>
      <p className="mb-2.5 text-muted">
        {connected.length === 0 ? t.firstRun.toolHelp : t.firstRun.toolDone(connected.join(", "))}
      </p>
      <div className="flex flex-wrap items-center gap-1.5">
        {offered(clients).map(({ id, name }) => (
          <Button key={id} onClick={() => navigate("clients", { connect: id })}>
            {t.firstRun.connect(name)}
          </Button>
        ))}
        <a href={routeHash("clients")} className="px-1">
          {t.firstRun.moreTools}
        </a>
      </div>
    </>
  );
}
