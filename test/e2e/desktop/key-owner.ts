import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { KeyProtectionView } from "../../../gateway/contract/maintenance.ts";
import { MODEL } from "./checking-provider.ts";

interface StoredKey {
  readonly backend: string;
  readonly sealed: string;
}

/** What lies in a data folder's key file, newest first. */
export async function storedKeys(dataDir: string): Promise<readonly StoredKey[]> {
  const text = await readFile(join(dataDir, "secret.key"), "utf8");
  const { earlier = [], ...first } = JSON.parse(text) as StoredKey & { earlier?: readonly StoredKey[] };
  return [first, ...earlier].map(({ backend, sealed }) => ({ backend, sealed }));
}

/** A person at a running Postern: signed in to the control API, with a local key. */
export interface KeyOwner {
  /** Connects a provider with a key. @returns the connection's id */
  connect(baseUrl: string, key: string, name?: string): Promise<string>;
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  protection(): Promise<KeyProtectionView>;
  /** The states of the connections' keys, by their names. */
  keyStates(): Promise<Readonly<Record<string, string | undefined>>>;
  /** All notices in one text. */
  notices(): Promise<string>;
  /** The status of a call with the model of a checking provider: 200 only when its key opened. */
  call(): Promise<number>;
}

/** @param ui the address of the pages with its one-time token */
export async function signIn({ url, ui }: { readonly url: string; readonly ui: string }): Promise<KeyOwner> {
  const json = { "content-type": "application/json" };
  const token = new URLSearchParams(new URL(ui).hash.slice(1)).get("token");
  const session = await fetch(`${url}/control/session`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ token }),
  });
  const { bearer } = (await session.json()) as { bearer: string };
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : json) };
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/control${path}`, sent);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { secret } = await ask<{ secret: string }>("POST", "/keys", { name: `of ${Date.now()}` });
  const connections = async (): Promise<readonly ConnectionView[]> =>
    (await ask<{ data: ConnectionView[] }>("GET", "/connections")).data;
  return {
    ask,
    async connect(baseUrl, key, name = "Work") {
      const body = { provider: "openai-compatible", name, base_url: baseUrl, keys: [key] };
      return (await ask<ConnectionView>("POST", "/connections", body)).id;
    },
    protection: () => ask("GET", "/key-protection"),
    keyStates: async () =>
      Object.fromEntries((await connections()).map(({ name, credentials }) => [name, credentials[0]?.state])),
    notices: async () => (await ask<State>("GET", "/state")).notices.map(({ message }) => message).join("\n"),
    async call() {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { ...json, authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Does the key open?" }] }),
      });
      await response.body?.cancel();
      return response.status;
    },
  };
}
