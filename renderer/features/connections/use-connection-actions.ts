import { useQueryClient } from "@tanstack/react-query";
import type { ConnectionView, CreateConnection, UpdateConnection } from "../../../gateway/contract/connection.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface ConnectionActions {
  /** Applies to the page immediately, and can be undone. */
  setEnabled(connection: ConnectionView, enabled: boolean): void;
  forgetLearned(connection: ConnectionView): void;
  /** These three throw the gateway's error. */
  create(body: CreateConnection): Promise<ConnectionView>;
  update(id: string, body: UpdateConnection): Promise<ConnectionView>;
  remove(connection: ConnectionView): Promise<void>;
}

export function useConnectionActions(): ConnectionActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const queryKey = [queryNames.connections];

  const edit = (change: (connections: ConnectionView[]) => ConnectionView[]): void => {
    cache.setQueryData<ConnectionView[]>(queryKey, (before) => (before === undefined ? before : change(before)));
  };
  const put = (next: ConnectionView): void =>
    edit((connections) =>
      connections.some(({ id }) => id === next.id)
        ? connections.map((each) => (each.id === next.id ? next : each))
        : [...connections, next],
    );
  const renewState = (): void => void cache.invalidateQueries({ queryKey: [queryNames.state] });

  const update = async (id: string, body: UpdateConnection): Promise<ConnectionView> => {
    const changed = await client.call("updateConnection", body, id);
    put(changed);
    return changed;
  };
  const write = async (connection: ConnectionView, enabled: boolean): Promise<void> => {
    await cache.cancelQueries({ queryKey });
    put({ ...connection, enabled });
    try {
      await update(connection.id, { enabled });
      renewState();
    } catch (error) {
      void cache.invalidateQueries({ queryKey });
      throw error;
    }
  };

  return {
    setEnabled(connection, enabled) {
      const message = enabled ? t.connections.enabled(connection.name) : t.connections.disabled(connection.name);
      write(connection, enabled).then(
        () => notify.undoable(message, () => void write(connection, !enabled).catch(notify.showError)),
        notify.showError,
      );
    },
    forgetLearned(connection) {
      const forget = async (): Promise<void> => {
        put(await client.call("forgetLearned", {}, connection.id));
        notify.confirm(t.connections.forgot(connection.name));
      };
      forget().catch(notify.showError);
    },
    async create(body) {
      const created = await client.call("createConnection", body);
      put(created);
      renewState();
      return created;
    },
    update,
    async remove(connection) {
      await client.call("removeConnection", {}, connection.id);
      edit((connections) => connections.filter(({ id }) => id !== connection.id));
      renewState();
    },
  };
}
