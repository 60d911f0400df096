import { startGateway, type RunningGateway } from "./gateway.ts";
import { asNames, endlessWord, payloads, wholeText } from "./hostile-payloads.ts";
import { startHostileProvider } from "./hostile-provider.ts";

/** A real Postern into which every payload was brought on the ways that are open to strangers. */
export interface SeededGateway {
  readonly gateway: RunningGateway;
  control<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Requests of which everything was recorded, by what the provider did. */
  readonly shown: ReadonlyMap<string, string>;
  /** How many responses of a place had a status: shows that what was to go in went in. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Gives the provider a key that it takes again. */
  unlock(): Promise<void>;
  close(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

/** First the sandbox answers, then the hostile provider, so that both ways of text to the pages are filled. */
export async function startSeeded(): Promise<SeededGateway> {
  const provider = await startHostileProvider();
  const gateway = await startGateway({ POSTERN_ALLOW_TARGETS: provider.host });
  const token = decodeURIComponent(gateway.ui.split("#token=")[1] ?? "");
  const statuses = new Map<string, number>();
  const opened = await fetch(`${gateway.url}/control/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { bearer } = (await opened.json()) as { bearer: string };

  const tell = (place: string, status: number): void => {
    const name = `${place} ${status}`;
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
  };
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${gateway.url}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    tell(`control ${path.split("/")[1]}`, response.status);
    return (await response.json()) as T;
  };
  const post = async (path: string, body: Fields, userAgent = "hostile/1.0", session = ""): Promise<Response> => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "user-agent": userAgent,
        ...(session !== "" && { "mcp-session-id": session, "mcp-protocol-version": REVISION }),
      },
      body: JSON.stringify(body),
    });
    tell(path, response.status);
    await response.arrayBuffer();
    return response;
  };
  const say = (model: string, content: string, more: Fields = {}, agent?: string): Promise<Response> =>
    post("/v1/chat/completions", { model, messages: [{ role: "user", content }], ...more }, agent);

  await control("PATCH", "/settings", { record_bodies: true });
  await each(asNames, (name, index) =>
    control("POST", "/keys", { name, models: index % 3 === 0 ? [name] : null, limit_usd: 1, disabled: undefined }),
  );
  await each(payloads.slice(0, 24), (payload, index) => post("/v1/images/generations", imageOf(payload, index)));
  await each(payloads.slice(0, 20), (input) => post("/v1/audio/speech", { model: "tts-1", voice: "nova", input }));
  await each(payloads.slice(0, 4), (prompt) =>
    post("/v1/videos/generations", {
      model: "sora-2",
      prompt,
      seconds: 4,
      webhook_url: "https://evil.example/<script>",
    }),
  );
  await each(payloads, (payload) => say("gpt-4.1", payload, {}, headerOf(payload)));
  await say("gpt-4.1", wholeText);

  const base_url = provider.baseUrl;
  const { id } = await control<{ id: string }>("POST", "/connections", {
    provider: "openai",
    name: "<img src=x onerror=window.pwned=1>",
    base_url,
    keys: ["k-0"],
  });
  await each(asNames.slice(0, 30), (name) =>
    control("POST", "/connections", {
      provider: "openai-compatible",
      name,
      base_url: `${base_url}/${encodeURIComponent(name)}`,
      keys: ["sk-<script>", "k-1"],
      priority: 9,
    }),
  );
  await each(payloads, (payload, index) => {
    const act = ACTS[index % ACTS.length];
    return say(payload.slice(0, 200), `act:${act} ${payload}`, { stream: act === "stream" });
  });
  const shown = new Map<string, string>();
  await each(ACTS, async (act) => {
    const { headers } = await say("gpt-4.1", `act:${act} ${wholeText}`, { stream: act === "stream" });
    shown.set(act, headers.get("x-request-id") ?? "");
  });
  await each(payloads, (payload) =>
    post("/v1/videos/generations", { model: "sora-2", prompt: payload, seconds: 4, metadata: { [payload]: payload } }),
  );
  await each(payloads, (payload, index) => post("/v1/images/generations", imageOf(payload, index)));
  await post("/v1/images/generations", { model: "gpt-image-1", prompt: wholeText.slice(0, 30_000) });
  await post("/v1/embeddings", { model: endlessWord.slice(0, 200), input: wholeText });
  await each(payloads.slice(0, 20), (payload) => callTools(post, payload));
  // The last word: after it the provider is asked nothing more.
  await each(LOCKED, (index) => say("gpt-4.1", `act:lock ${index}`));
  return {
    gateway,
    control,
    shown,
    unlock: async () => void (await control("PATCH", `/connections/${id}`, { keys: ["k-2"] })),
    statuses,
    async close() {
      await gateway.stop();
      await provider.close();
    },
  };
}

/** A refused key of a provider is shown with the provider's own complaint. */
const LOCKED = [1, 2, 3];
const REVISION = "2025-11-25";
type Post = (path: string, body: Fields, userAgent?: string, session?: string) => Promise<Response>;

/** A client of the tool server whose name, arguments and tools are a payload. */
async function callTools(post: Post, payload: string): Promise<void> {
  const clientInfo = { name: payload, version: payload, title: payload };
  const entered = await post(
    "/mcp",
    {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: REVISION, capabilities: {}, clientInfo },
    },
    headerOf(payload),
  );
  const session = entered.headers.get("mcp-session-id") ?? "";
  const call = (id: number, name: string, input: Fields): Promise<Response> => {
    const params = { name, arguments: input, _meta: { progressToken: payload } };
    return post("/mcp", { jsonrpc: "2.0", id, method: "tools/call", params }, headerOf(payload), session);
  };
  await call(1, "chat", { model: "gpt-4.1", prompt: payload });
  await call(2, "chat", { model: payload.slice(0, 200), prompt: `act:fail ${payload}` });
  await call(3, payload, { [payload]: payload });
}

const ACTS = ["say", "stream", "tool", "refuse", "fail"] as const;

const imageOf = (prompt: string, index: number): Fields => ({
  model: "gpt-image-1",
  prompt,
  size: "1024x1024",
  quality: "low",
  user: payloads[index],
});

/** What of a payload a header of HTTP can carry. */
const headerOf = (payload: string): string => payload.replaceAll(/[^\x20-\x7E]/g, "").trim() || "unknown";

/** Four at a time: a flood would only wait in the gateway. */
async function each<Item>(items: readonly Item[], act: (item: Item, index: number) => Promise<unknown>): Promise<void> {
  const rest = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await act(next[1], next[0]);
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}
