import { session, type DownloadItem, type Session } from "electron";
import { mayDownload, mayLoad } from "../policy/navigation.ts";
import { mayUse } from "../policy/permissions.ts";

/**
 * Closes the session of the window to everything but the gateway: no permission, no device, no foreign request and no
 * foreign download. To be installed before the window exists.
 * @param origin the gateway's address.
 * @param devTools whether developer tools may load themselves.
 * @param save takes a download that is allowed
 */
export function guardSession(origin: string, devTools: boolean, save: (item: DownloadItem) => void): void {
  const own: Session = session.defaultSession;
  own.setPermissionRequestHandler((_contents, permission, response, details) => {
    const media = "mediaTypes" in details ? details.mediaTypes : undefined;
    response(mayUse(permission, details.requestingUrl, details.isMainFrame, origin, media));
  });
  own.setPermissionCheckHandler((_contents, permission, asker, details) =>
    mayUse(permission, asker, details.isMainFrame, origin, [details.mediaType ?? "unknown"]),
  );
  own.setDevicePermissionHandler(() => false);
  own.setDisplayMediaRequestHandler((_request, response) => response(null));
  own.webRequest.onBeforeRequest((details, response) => {
    response({ cancel: !mayLoad(details.url, origin, devTools) });
  });
  own.on("will-download", (event, item) => {
    if (mayDownload(item.getURLChain(), origin)) save(item);
    else event.preventDefault();
  });
  own.setSpellCheckerEnabled(false);
}

/** Makes the window ask no proxy: its only traffic is to this machine. */
export async function useNoProxy(): Promise<void> {
  await session.defaultSession.setProxy({ mode: "direct" });
}
