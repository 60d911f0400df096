import type { Session } from "electron";
import { mayDownload, mayLoad } from "../policy/navigation.ts";
import { mayUse } from "../policy/permissions.ts";

/**
 * Closes a session to everything but the gateway: no permission, no device, no foreign request, no foreign download,
 * no proxy. Installed before the window exists.
 * @param origin the gateway's address.
 * @param devTools whether developer tools may load themselves.
 */
export async function guardSession(session: Session, origin: string, devTools: boolean): Promise<void> {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(mayUse(permission, details.requestingUrl, details.isMainFrame, origin));
  });
  session.setPermissionCheckHandler((_contents, permission, asker, details) =>
    mayUse(permission, asker, details.isMainFrame, origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !mayLoad(details.url, origin, devTools) });
  });
  session.on("will-download", (event, item) => {
    if (!mayDownload(item.getURLChain(), origin)) event.preventDefault();
  });
  session.setSpellCheckerEnabled(false);
  // The only traffic is to this machine. A proxy of the system would otherwise be asked about it.
  await session.setProxy({ mode: "direct" });
}
