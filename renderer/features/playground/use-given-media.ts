import { useEffect, useEffectEvent } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import type { Kind } from "./kinds.ts";
import { readMediaAddress, readVariation } from "./media-address.ts";
import { pictureFromLibrary } from "./pictures/from-library.ts";
import { takePicture, takeVariation } from "./take-address.ts";

/**
 * Takes over what an address asks for with files of the library (`MediaAddress`).
 * @param kind the tab that is open
 */
export function useGivenMedia(kind: Kind, params: URLSearchParams): void {
  const t = useMessages();
  const notify = useNotify();
  const { client } = useGateway();
  const { vary, picture } = readMediaAddress(params);

  const takeVary = useEffectEvent(async (id: string) => {
    try {
      const variation = readVariation(await client.call("getMedia", {}, id));
      if (variation === null) return notify.confirm(t.playground.noVariation);
      const undo = takeVariation(variation);
      replaceParams({ kind: variation.kind, model: params.get("model") ?? variation.model, vary: null });
      notify.undoable(t.playground.varied, undo);
    } catch (error) {
      replaceParams({ vary: null });
      notify.showError(error);
    }
  });
  const take = useEffectEvent(async (id: string) => {
    try {
      takePicture(kind, await pictureFromLibrary(await client.call("getMedia", {}, id)));
    } catch {
      notify.confirm(t.playground.unreadable.broken);
    }
    replaceParams({ picture: null });
  });
  useEffect(() => {
    if (vary !== null) void takeVary(vary);
  }, [vary]);
  useEffect(() => {
    if (picture !== null) void take(picture);
  }, [picture]);
}
