import { useRef, useState, type ReactNode } from "react";
import type { ClientView } from "../../../../gateway/contract/clients.ts";
import { Button } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";
import { ConnectDialog } from "../../../components/clients/connect-dialog.tsx";
import { FirstWordsLine } from "../../../components/clients/first-words-line.tsx";
import { firstWords } from "../../../components/clients/first-words.ts";

/** The other apps are one click away, on their page. */
const MOST_OFFERED = 3;

/** Returns the clients that can be connected with one click: Claude Code first, then those detected on this machine. */
function listOffered(clients: readonly ClientView[]): readonly ClientView[] {
  const able = clients.filter(({ connected, writes }) => connected === null && writes.length > 0);
  const first = able.filter(({ id }) => id === "claude-code");
  return [...first, ...able.filter(({ id, found }) => found && id !== "claude-code")].slice(0, MOST_OFFERED);
}

export interface ToolStepProps {
  readonly clients: readonly ClientView[];
  /** Keeps the step open: the next instructions are shown in it. */
  readonly onBegin: () => void;
}

/** Connects a tool in place, and shows how to use it. */
export function ToolStep({ clients, onBegin }: ToolStepProps): ReactNode {
  const t = useMessages();
  const [chosen, choose] = useState<ClientView["id"] | null>(null);
  const pressed = useRef<HTMLElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const connected = clients.filter((client) => client.connected !== null);
  const command = connected.map(firstWords).find((words) => words !== null);
  return (
    <>
      {connected.length === 0 && <p className="mb-2.5 text-muted">{t.firstRun.appHelp}</p>}
      {command != null && (
        <div className="mb-2.5">
          <p className="mb-1 text-meta text-muted">{t.clients.tryIt}</p>
          <FirstWordsLine command={command} />
        </div>
      )}
      <div ref={row} className="flex flex-wrap items-center gap-1.5">
        {listOffered(clients).map(({ id, name }) => (
          <Button
            key={id}
            onClick={({ currentTarget }) => {
              pressed.current = currentTarget;
              onBegin();
              choose(id);
            }}
          >
            {t.firstRun.connect(name)}
          </Button>
        ))}
        <a href={routeHash("clients")} className="px-1">
          {t.firstRun.moreApps}
        </a>
      </div>
      <ConnectDialog
        client={clients.find(({ id }) => id === chosen) ?? null}
        onClose={() => choose(null)}
        // The button of a connected tool no longer exists.
        returnFocus={() =>
          pressed.current?.isConnected === true ? pressed.current : (row.current?.querySelector("a, button") ?? null)
        }
      />
    </>
  );
}
