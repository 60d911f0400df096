import type { ChatSummary, StoredChat } from "./chat-record.ts";
import { importKey, seal, unseal, type Sealed } from "./sealed.ts";

/**
 * Conversations in the browser's IndexedDB, for this origin and browser profile: they never leave the machine, and are
 * encrypted with a key of the gateway, because another program may serve this origin while Postern is stopped. Unlike
 * localStorage, IndexedDB stores pictures as files, more than 5 MB, and does not block the page. Every method rejects
 * if the browser refuses storage.
 */
export interface ChatStore {
  summaries(): Promise<readonly ChatSummary[]>;
  /** Returns the conversation stored under this id; undefined without one. */
  read(id: string): Promise<unknown>;
  write(chat: StoredChat, summary: ChatSummary): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}

const NAME = "postern.playground";
const CHATS = "chats";
/** Earlier versions stored the value unencrypted. */
type Stored<Value> = Sealed | Value;

const isSealed = (stored: object): stored is Sealed => "sealed" in stored;

/** Store of the list's summaries, so that opening it reads no pictures. */
const SUMMARIES = "summaries";

/** @param askForKey gives 32 bytes as base64 */
export function createChatStore(askForKey: () => Promise<string>): ChatStore {
  let importing: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> =>
    (importing ??= askForKey()
      .then(importKey)
      .catch((error: unknown) => {
        importing = undefined;
        throw error;
      }));

  let opening: Promise<IDBDatabase> | undefined;

  const connect = (): Promise<IDBDatabase> =>
    (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.addEventListener("upgradeneeded", () => {
        request.result.createObjectStore(CHATS, { keyPath: "id" });
        request.result.createObjectStore(SUMMARIES, { keyPath: "id" });
      });
      request.addEventListener("success", () => {
        // A page that deletes the database or upgrades it does not wait for this one.
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

  /** Resolves with the result of a transaction's requests, once it is done. */
  async function transact<Result>(
    mode: IDBTransactionMode,
    work: (chats: IDBObjectStore, summaries: IDBObjectStore) => IDBRequest<Result> | undefined,
  ): Promise<Result | undefined> {
    const transaction = (await connect()).transaction([CHATS, SUMMARIES], mode);
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

  /** Decrypts a stored value; undefined if another data folder's key encrypted it. */
  const open = async (stored: Stored<object>): Promise<unknown> =>
    isSealed(stored) ? unseal(await key(), stored).catch(() => undefined) : stored;

  async function write(chat: StoredChat, summary: ChatSummary): Promise<void> {
    const sealed = await Promise.all([chat, summary].map(async (value) => seal(await key(), value.id, value)));
    await transact("readwrite", (chats, summaries) => {
      chats.put(sealed[0]);
      summaries.put(sealed[1]);
      return undefined;
    });
  }

  const read = async (id: string): Promise<unknown> => {
    const stored = await transact<object>("readonly", (chats) => chats.get(id));
    return stored === undefined ? undefined : open(stored);
  };

  return {
    async summaries() {
      await key();
      const stored = (await transact<Stored<ChatSummary>[]>("readonly", (_, summaries) => summaries.getAll())) ?? [];
      const opened = await Promise.all(stored.map(open));
      for (const summary of stored)
        if (!isSealed(summary)) await write((await read(summary.id)) as StoredChat, summary);
      return opened.flatMap((summary) => (summary === undefined ? [] : [summary as ChatSummary]));
    },
    read,
    write,
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
