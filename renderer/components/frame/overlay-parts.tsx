import { useEffect, useState, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { createPart, usePart, type Loadable, type Part } from "../../lib/part.ts";
import { useNotify } from "../ui/toasts.tsx";
import type { LimitTarget, OverlayName } from "./overlays.ts";
import type { Link } from "./use-link.ts";

const palette = createPart(async () => (await import("./command-palette.tsx")).CommandPalette);
const shortcuts = createPart(async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog);
const createKey = createPart(async () => (await import("../../features/keys/create-key-dialog.tsx")).CreateKeyDialog);
const addConnection = createPart(
  async () => (await import("../../features/connections/add-connection-dialog.tsx")).AddConnectionDialog,
);
const limit = createPart(async () => (await import("../limits/limit-overlay.tsx")).LimitOverlay);

/** Fetched before the other pages: a key that opens one of them may be pressed at any time. */
export const overlayParts: readonly Loadable[] = [palette, shortcuts, createKey, addConnection, limit];

export interface OverlayPartsProps {
  readonly overlay: OverlayName | null;
  readonly link: Link | null;
  readonly target: LimitTarget | null;
  readonly onOpen: (name: OverlayName) => void;
  readonly onClose: () => void;
}

/** Overlays that open on top of any page; each is created when it is first opened. */
export function OverlayParts({ overlay, link, target, onOpen, onClose }: OverlayPartsProps): ReactNode {
  const key = link?.kind === "key" ? link : undefined;
  const connect = link?.kind === "connect" ? link : undefined;
  return (
    <>
      <Overlay part={palette} open={overlay === "palette"} props={{ onClose, onOpen }} />
      <Overlay part={shortcuts} open={overlay === "shortcuts"} props={{ onClose }} />
      <Overlay
        part={createKey}
        open={overlay === "createKey" || key !== undefined}
        props={{ onClose, linkedName: key?.name }}
      />
      <Overlay
        part={addConnection}
        open={overlay === "addConnection" || connect !== undefined}
        props={{ onClose, link: connect }}
      />
      <Overlay part={limit} open={overlay === "limit"} props={{ onClose, target }} />
    </>
  );
}

interface Opened {
  readonly open: boolean;
  readonly onClose: () => void;
}

interface OverlayProps<Props extends Opened> {
  readonly part: Part<Props>;
  readonly open: boolean;
  readonly props: Omit<Props, "open">;
}

function Overlay<Props extends Opened>(props: OverlayProps<Props>): ReactNode {
  // The element stays mounted after closing, so that its exit animation shows.
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  return used ? <UsedOverlay {...props} /> : null;
}

function UsedOverlay<Props extends Opened>({ part, open, props }: OverlayProps<Props>): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const state = usePart(part);
  const failed = open && (state.status === "failed" || state.status === "outdated");
  useEffect(() => {
    if (!failed) return;
    notify.showError(state.status === "outdated" ? `${t.app.outdated} ${t.app.outdatedHelp}` : t.app.unreachable);
    props.onClose();
  });
  useEffect(() => {
    if (open) void part.load();
  }, [open, part]);
  if (state.status !== "here") return null;
  const all = { ...props, open } as Props;
  return <state.component {...all} />;
}
