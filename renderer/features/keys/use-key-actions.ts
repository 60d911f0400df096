import { useQueryClient } from "@tanstack/react-query";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface KeyActions {
  /** Applies to the page immediately, and can be undone. */
  setDisabled(key: KeyView, disabled: boolean): void;
  /** Resolves `true` when the key is revoked. */
  revoke(key: KeyView): Promise<boolean>;
}

export function useKeyActions(): KeyActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const queryKey = [queryNames.keys];

  const edit = (change: (keys: KeyView[]) => KeyView[]): void => {
    cache.setQueryData<KeyView[]>(queryKey, (keys) => (keys === undefined ? keys : change(keys)));
  };
  const write = async (key: KeyView, disabled: boolean): Promise<void> => {
    await cache.cancelQueries({ queryKey });
    edit((keys) =>
      keys.map((each) => (each.id === key.id ? { ...each, disabled, state: disabled ? "disabled" : "active" } : each)),
    );
    try {
      const changed = await client.call("updateKey", { disabled }, key.id);
      edit((keys) => keys.map((each) => (each.id === key.id ? changed : each)));
    } catch (error) {
      void cache.invalidateQueries({ queryKey });
      throw error;
    }
  };

  return {
    setDisabled(key, disabled) {
      const message = disabled ? t.keys.disabled(key.name) : t.keys.enabled(key.name);
      write(key, disabled).then(
        () => notify.undoable(message, () => void write(key, !disabled).catch(notify.showError)),
        notify.showError,
      );
    },
    async revoke(key) {
      try {
        await client.call("revokeKey", {}, key.id);
        edit((keys) => keys.filter(({ id }) => id !== key.id));
        notify.confirm(t.keys.revoked(key.name));
        return true;
      } catch (error) {
        notify.showError(error);
        return false;
      }
    },
  };
}
