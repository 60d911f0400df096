import { useEffect, useEffectEvent } from "react";
import type { DownloadedFile } from "../../bridge.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useNotify } from "../ui/toasts.tsx";

/** Announces which file the desktop app saved, and where. Browsers show this themselves. */
export function useDownloads(): void {
  const t = useMessages();
  const notify = useNotify();
  const tell = useEffectEvent(({ id, name, folder, saved }: DownloadedFile) => {
    if (!saved) return notify.showError(t.downloads.failed(name));
    const show = (): void => void window.desktop?.showDownload(id).catch(notify.showError);
    notify.offerAction({ title: t.downloads.saved(name), description: folder }, t.downloads.show, show);
  });
  useEffect(() => window.desktop?.onDownload((file) => tell(file)), []);
}
