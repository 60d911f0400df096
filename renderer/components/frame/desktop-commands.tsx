import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { offerRest } from "../../lib/reload-memory.ts";
import { Confirm } from "../ui/dialog.tsx";
import { FindBar, findSearched } from "./find-bar.tsx";
import { hasUnsentForm } from "./use-rest.ts";

/** Steps of the commands that find, by the shell's names (main/policy/page-command.ts). */
const FINDS: Readonly<Record<string, -1 | 0 | 1>> = { find: 0, "find-next": 1, "find-previous": -1 };

function carryOut(command: string): void {
  if (command === "reload") location.reload();
  else if (command === "back") history.back();
  else if (command === "forward") history.forward();
  else location.hash = command;
}

/** Tells whether a command would lose input; a reload preserves what it can. */
const losesInput = (command: string): boolean => (command === "reload" ? !offerRest() : hasUnsentForm());

/** Mouse buttons that navigate the history. */
const MOUSE: Readonly<Record<number, string>> = { 3: "back", 4: "forward" };

/**
 * Takes over commands of the desktop app's menu, keys, links and notices: finding text, and what would discard a form
 * that is half filled in, after a question.
 * @param onLeave closes what is open over the page
 */
export function DesktopCommands({ onLeave }: { readonly onLeave: () => void }): ReactNode {
  const t = useMessages();
  const [pendingCommand, setPendingCommand] = useState<string | null>(null);
  const [found, setFound] = useState<{ readonly root: HTMLElement; readonly step: -1 | 0 | 1 } | null>(null);
  const takeOver = useEffectEvent((command: string): boolean => {
    const step = FINDS[command];
    if (step !== undefined) {
      setFound((now) => ({ root: now?.root.isConnected === true ? now.root : findSearched(), step }));
      return true;
    }
    const needsConfirmation = losesInput(command);
    if (needsConfirmation) setPendingCommand(command);
    else onLeave();
    return needsConfirmation;
  });
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    window.addEventListener(
      "command",
      (event) => {
        if (event instanceof CustomEvent && takeOver(String(event.detail))) event.preventDefault();
      },
      { signal },
    );
    // Chromium would navigate without a confirmation. The shell receives these buttons except on macOS.
    window.addEventListener(
      "mouseup",
      (event) => {
        const command = MOUSE[event.button];
        if (command === undefined) return;
        event.preventDefault();
        if (window.desktop?.platform === "darwin" && !takeOver(command)) carryOut(command);
      },
      { signal },
    );
    return () => stopped.abort();
  }, []);
  return (
    <>
      {found !== null && <FindBar root={found.root} request={found} onClose={() => setFound(null)} />}
      <Confirm
        open={pendingCommand !== null}
        onClose={() => setPendingCommand(null)}
        onConfirm={() => {
          const command = pendingCommand;
          setPendingCommand(null);
          onLeave();
          if (command !== null) carryOut(command);
        }}
        title={t.discard.title}
        description={t.discard.help}
        action={t.discard.action}
        leave={t.discard.stay}
        busy={false}
      />
    </>
  );
}
