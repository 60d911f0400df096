import type { TaskRecord } from "../../core/tasks/task.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import type { WebhookTasks } from "./delivery-attempts.ts";
import type { WebhookUrls } from "./webhook-urls.ts";

export interface StoredUrlsDeps {
  readonly repository: Pick<WebhookTasks, "live" | "change">;
  readonly store: Pick<Store, "document" | "transact">;
  readonly urls: Pick<WebhookUrls, "encrypt">;
}

/** Earlier versions stored URLs in plain text, with the tokens in their queries. An encrypted URL has no query. */
const isPlain = (url: string | null): url is string => url?.includes("?") === true;

/**
 * Encrypts the URLs that an earlier version has written into records of the document. A task of the archive has its turn at
 * the start after it has come back.
 */
export async function encryptStoredUrls({ repository, store, urls }: StoredUrlsDeps): Promise<void> {
  const encrypted = new Map<string, string>();
  const encrypt = async (url: string): Promise<void> => {
    if (!encrypted.has(url)) encrypted.set(url, await urls.encrypt(url));
  };
  const replace = <T extends string | null>(url: T): T => (url === null ? url : ((encrypted.get(url) ?? url) as T));
  try {
    for (const { id, webhook_url: url, deliveries } of repository.live()) {
      const plain = [url, ...deliveries.map((delivery) => delivery.url)].filter(isPlain);
      for (const each of plain) await encrypt(each);
      if (plain.length > 0) await repository.change(id, (task) => withUrls(task, replace));
    }
    const receivers = [...store.document.receivers.values()].filter(({ id }) => isPlain(id));
    for (const { id } of receivers) await encrypt(id);
    if (receivers.length === 0) return;
    await store.transact([{ in: "receivers" }], (commit) =>
      commit(
        receivers.flatMap((record) => [
          { op: "delete", in: "receivers", id: record.id },
          { op: "put", in: "receivers", record: { ...record, id: replace(record.id) } },
        ]),
      ),
    );
  } catch (error) {
    // Secrets that cannot be opened on this start can at another.
    if (!(error instanceof GatewayError)) throw error;
  }
}

function withUrls(task: TaskRecord, replace: <T extends string | null>(url: T) => T): TaskRecord {
  const deliveries = task.deliveries.map((delivery) => ({ ...delivery, url: replace(delivery.url) }));
  return { ...task, webhook_url: replace(task.webhook_url), deliveries };
}
