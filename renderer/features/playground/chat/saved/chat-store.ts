import type { ChatSummary, StoredChat } from "./chat-record.ts";

/**
 * Conversations in the browser's own database, of this origin and this browser's profile: they never leave the machine.
 * IndexedDB rather than localStorage, for it holds pictures as files, more than 5 MB, and does not hold the page up.
 * Every method rejects where the browser refuses storage.
 */
export interface ChatStore {
  summaries(): Promise<readonly ChatSummary[]>;
  /** What was stored under this id; undefined where nothing was. */
  read(id: string): Promise<unknown>;
  write(chat: StoredChat, summary: ChatSummary): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}

const NAME = "postern.playground";
const CHATS = "chats";
/** What the list needs, apart: opening it reads no pictures. */
const SUMMARIES = "summaries";

export function createChatStore(): ChatStore {
  let opening: Promise<IDBDatabase> | undefined;

  const open = (): Promise<IDBDatabase> =>
    (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.addEventListener("upgradeneeded", () => {
        request.result.createObjectStore(CHATS, { keyPath: "id" });
        request.result.createObjectStore(SUMMARIES, { keyPath: "id" });
      });
      request.addEventListener("success", () => {
        // Anyone who deletes the database or brings a newer one does not wait for this page.
        request.result.addEventListener("versionchange", () => {
          request.result.close();
          opening = undefined;
        });
        resolve(request.result);
      });
      request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
    }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));

  /** What the requests of one transaction came to, once it is done. */
  async function transact<Result>(
    mode: IDBTransactionMode,
    work: (chats: IDBObjectStore, summaries: IDBObjectStore) => IDBRequest<Result> | undefined,
  ): Promise<Result | undefined> {
    const transaction = (await open()).transaction([CHATS, SUMMARIES], mode);
    const done = new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(transaction.error ?? new Error("not stored"));
      transaction.addEventListener("complete", () => resolve());
      transaction.addEventListener("abort", fail);
      transaction.addEventListener("error", fail);
    });
    const request = work(transaction.objectStore(CHATS), transaction.objectStore(SUMMARIES));
    await done;
    return request?.result;
  }

  return {
    summaries: async () => (await transact<ChatSummary[]>("readonly", (_, summaries) => summaries.getAll())) ?? [],
    read: (id) => transact<unknown>("readonly", (chats) => chats.get(id)),
    async write(chat, summary) {
      await transact("readwrite", (chats, summaries) => {
        chats.put(chat);
        summaries.put(summary);
        return undefined;
      });
    },
    async remove(ids) {
      await transact("readwrite", (chats, summaries) => {
        for (const id of ids) {
          chats.delete(id);
          summaries.delete(id);
        }
        return undefined;
      });
    },
  };
}
