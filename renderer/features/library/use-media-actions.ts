import { useQueryClient } from "@tanstack/react-query";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ownLink } from "../../components/media/media-links.ts";
import type { MediaList } from "./use-media-list.ts";

export interface MediaActions {
  /** Applies to the page immediately, and can be undone for ten seconds. */
  remove(views: readonly MediaView[]): void;
  /** Starts the download of a ZIP. */
  exportZip(views: readonly MediaView[]): void;
}

export function useMediaActions(list: MediaList): MediaActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const idsOf = (views: readonly MediaView[]): string[] => views.map(({ id }) => id);

  /** Refetches the first page: the list compares it with its rows, and starts over if they differ. */
  const renew = (): Promise<void> => cache.invalidateQueries({ queryKey: [queryNames.media] });
  const restore = async (ids: string[], putBack: () => boolean): Promise<void> => {
    try {
      await client.call("restoreMedia", { ids });
      if (!putBack()) list.doubt();
    } catch (error) {
      notify.showError(error);
    }
    await renew();
  };
  const remove = async (views: readonly MediaView[]): Promise<void> => {
    const ids = idsOf(views);
    const putBack = list.remove(new Set(ids));
    try {
      await client.call("deleteMedia", { ids });
      notify.undoable(t.library.deleted(ids.length), () => void restore(ids, putBack));
    } catch (error) {
      if (!putBack()) list.doubt();
      notify.showError(error);
    }
    await renew();
  };
  const exportZip = async (views: readonly MediaView[]): Promise<void> => {
    try {
      const link = ownLink((await client.call("exportMedia", { ids: idsOf(views) })).link);
      if (link === null) return;
      download(link);
      notify.confirm(t.library.exported);
    } catch (error) {
      notify.showError(error);
    }
  };
  return {
    remove: (views) => void remove(views),
    exportZip: (views) => void exportZip(views),
  };
}

/** The gateway's headers mark it as a download, with its name. */
function download(link: string): void {
  const anchor = document.createElement("a");
  anchor.href = link;
  anchor.download = "";
  anchor.click();
}
