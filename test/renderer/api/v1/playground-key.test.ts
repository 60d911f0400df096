import { describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import { UnreachableError, type ControlClient } from "../../../../renderer/api/client.ts";
import { callV1, CallError } from "../../../../renderer/api/v1/call-v1.ts";
import { leftovers, PlaygroundKey } from "../../../../renderer/api/v1/playground-key.ts";
import { keyView } from "../../../support/views.ts";

const DAY = 86_400_000;
const made = (id: string, change: Partial<KeyView> = {}): KeyView => ({
  ...keyView({ id, name: "Playground" }),
  created_at: 1_000,
  expires_at: 1_000 + DAY,
  ...change,
});

/** A control API that makes keys and takes them away. */
function control(keys: KeyView[]) {
  const state = { keys, made: 0, fails: false };
  const call = async (name: string, input: { expires_at?: number } = {}, id?: string): Promise<unknown> => {
    if (state.fails) throw new UnreachableError("away");
    if (name === "createKey") {
      state.made += 1;
      const key = made(`key_${state.made}`, { expires_at: input.expires_at ?? null });
      state.keys.push(key);
      return { key, secret: `sk-${state.made}` };
    }
    if (name === "listKeys") return { data: [...state.keys] };
    state.keys = state.keys.filter((key) => key.id !== id);
    return { ok: true };
  };
  return { state, client: { call } as unknown as ControlClient };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the playground's key", () => {
  it("is made once, and takes the earlier ones away", async () => {
    const { state, client } = control([made("old"), made("older")]);
    const key = new PlaygroundKey(client, () => 1_000);
    const [one, two] = await Promise.all([key.get(), key.get()]);
    expect(one).toBe(two);
    await settled();
    expect(state.keys.map(({ id }) => id)).toEqual(["key_1"]);
  });

  it("takes no key away that a person may have made, or that is in use", () => {
    const stored = [
      made("forever", { expires_at: null }),
      made("week", { expires_at: 1_000 + 7 * DAY }),
      made("busy", { in_flight: 1 }),
      made("other", { name: "playground" }),
      made("environment", { origin: "environment" }),
    ];
    expect(leftovers([...stored, made("mine")]).map(({ id }) => id)).toEqual(["mine"]);
  });

  it("is tried again after it could not be made", async () => {
    const { state, client } = control([]);
    const key = new PlaygroundKey(client, () => 1_000);
    state.fails = true;
    await expect(key.get()).rejects.toThrow(UnreachableError);
    state.fails = false;
    expect((await key.get()).secret).toBe("sk-1");
  });
});

describe("a call", () => {
  const refusal = (code: string): Response =>
    Response.json(
      { error: { message: "No.", type: "invalid_request_error", param: null, code } },
      { status: 401, headers: { "x-request-id": "req_9" } },
    );
  const open = new AbortController().signal;
  const request = { path: "/v1/embeddings", body: { model: "m" } };

  it("makes a key that was lost again, once", async () => {
    const key = new PlaygroundKey(control([]).client, () => 1_000);
    const used: string[] = [];
    const send: typeof fetch = (_path, init) => {
      used.push(new Headers(init?.headers).get("authorization") ?? "");
      return Promise.resolve(used.length === 1 ? refusal("invalid_api_key") : Response.json({}));
    };
    expect((await callV1(key, request, open, send)).status).toBe(200);
    expect(used).toEqual(["Bearer sk-1", "Bearer sk-2"]);
    const refused: typeof fetch = () => Promise.resolve(refusal("invalid_api_key"));
    await expect(callV1(key, request, open, refused)).rejects.toThrow(CallError);
  });

  it("leaves a key off that was switched off, and tells refusals with the id of their request", async () => {
    const { state, client } = control([]);
    const key = new PlaygroundKey(client, () => 1_000);
    const disabled: typeof fetch = () => Promise.resolve(refusal("key_disabled"));
    await expect(callV1(key, request, open, disabled)).rejects.toMatchObject({
      code: "key_disabled",
      message: "No.",
      requestId: "req_9",
    });
    expect(state.made).toBe(1);
    const flat: typeof fetch = () =>
      Promise.resolve(
        Response.json({ code: "InvalidParameter", message: "Bad size.", request_id: "r" }, { status: 400 }),
      );
    await expect(callV1(key, request, open, flat)).rejects.toMatchObject({ code: "InvalidParameter" });
    const away: typeof fetch = () => Promise.reject(new TypeError("fetch failed"));
    await expect(callV1(key, request, open, away)).rejects.toThrow(UnreachableError);
  });
});
