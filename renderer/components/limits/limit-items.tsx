import { Gauge } from "lucide-react";
import type { ReactNode } from "react";
import { getAppName } from "../../../gateway/contract/apps.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useOverlays, type LimitTarget } from "../frame/overlays.ts";
import { MenuItem } from "../ui/menu.tsx";

export interface LimitItemsProps {
  /** The app by any of its names; empty or absent for none. */
  readonly app?: string | undefined;
  readonly project?: string | null | undefined;
  /** Id of a local key. */
  readonly keyId?: string | undefined;
}

/** Menu items that set a limit for the app, the project and the key of a row. */
export function LimitItems({ app = "", project, keyId = "" }: LimitItemsProps): ReactNode {
  const t = useMessages();
  const { limit } = useOverlays();
  const targets: LimitTarget[] = [
    { kind: "client", name: getAppName(app) },
    { kind: "project", name: project ?? "" },
    { kind: "key", name: keyId },
  ];
  return targets
    .filter(({ name }) => name !== "")
    .map((target) => (
      <MenuItem key={target.kind} icon={<Gauge size={14} aria-hidden />} onSelect={() => limit(target)}>
        {t.budgets.limit[target.kind]}
      </MenuItem>
    ));
}
