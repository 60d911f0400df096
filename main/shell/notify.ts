import { Notification } from "electron";
import type { Notice } from "../policy/notice.ts";
import type { PageRoute } from "../policy/page-route.ts";

/** Max notices that can still be clicked. */
const MOST_HELD = 50;

/**
 * Shows system notifications, if supported.
 * @param open called on click.
 */
export function createNotifier(open: (route: PageRoute) => void): (notice: Notice) => void {
  // Keeps references, because a garbage-collected notice loses its click handler.
  const visible = new Set<Notification>();
  return ({ title, body, opens }) => {
    if (!Notification.isSupported()) return;
    const shown = new Notification({ title, body });
    visible.add(shown);
    for (const oldest of visible) {
      if (visible.size <= MOST_HELD) break;
      visible.delete(oldest);
    }
    shown.on("click", () => {
      visible.delete(shown);
      open(opens);
    });
    shown.on("close", () => visible.delete(shown));
    shown.show();
  };
}
