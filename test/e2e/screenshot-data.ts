import { after, respond, completion, stream, streamFrames, type Usage } from "../support/acts.ts";
import { modelList, MockProvider } from "../support/mock-provider.ts";
import { until, type TestGateway } from "../support/running-gateway.ts";

/** A week of one person's work, made by real calls to a real Postern: the sandbox, and a server next to it. */
export const LAST_MOMENT = Date.UTC(2026, 10, 22, 16, 40);
const DAY_MS = 86_400_000;
const FIRST_MOMENT = LAST_MOMENT - 6 * DAY_MS - 7 * 3_600_000;

const WORKSTATION_PORT = 8000;
const OLLAMA_PORT = 11_434;
const LM_STUDIO_PORT = 1234;
const CODER = "qwen3-coder-30b";
const LARGE = "gpt-oss-120b";
const PRICES = [
  [CODER, 0.2, 0.8],
  [LARGE, 0.6, 2.4],
] as const;
const NANO_PER_USD = 1e9;

/** Three servers next to Postern: one that is connected, one that was found and is used, one that is only offered. */
export async function startServers(): Promise<readonly MockProvider[]> {
  const workstation = await new MockProvider().listen(WORKSTATION_PORT);
  workstation.list = modelList([CODER, LARGE, "bge-m3"]);
  let calls = 0;
  workstation.usual = (exchange) => {
    calls += 1;
    const prompt = 1_800 + ((calls * 7_919) % 41_000);
    const usage: Usage = { prompt_tokens: prompt, completion_tokens: 120 + ((calls * 613) % 1_900) };
    const streamed = exchange.seen.body.includes('"stream":true');
    const act = streamed ? stream(streamFrames(undefined, usage), 40) : completion("Done.", usage);
    return after(120 + ((calls * 37) % 300), act)(exchange);
  };
  const ollama = await new MockProvider().listen(OLLAMA_PORT);
  ollama.list = modelList(["qwen3:8b", "gemma3:12b", "nomic-embed-text"]);
  ollama.also.set("/api/tags", respond(200, '{"models":[]}'));
  const lmStudio = await new MockProvider().listen(LM_STUDIO_PORT);
  return [workstation, ollama, lmStudio];
}

const keys = [
  { name: "Claude Code", limit_usd: 20, reset: "monthly" },
  { name: "Codex", limit_usd: 10, reset: "monthly", models: ["gpt-*", "qwen3-*"] },
  { name: "Nightly report", limit_usd: 0.25, reset: "daily", rpm: 30, concurrency: 2 },
  { name: "Notebook", expires_at: LAST_MOMENT + 30 * DAY_MS },
] as const;

/** Who asks which model, in turn; a key, a User-Agent, a model, a question. */
const calls = [
  ["Claude Code", "claude-cli/2.1.329 (external, cli)", CODER, "Why does the second test of the parser hang?"],
  ["Claude Code", "claude-cli/2.1.329 (external, cli)", LARGE, "Review the change of the retry loop."],
  ["Codex", "codex_cli_rs/0.169.0", CODER, "Add a test for an empty list."],
  ["Nightly report", "OpenAI/Python 2.9.0", LARGE, "Summarise the open issues of today."],
  ["Notebook", "OpenAI/JS 7.55.0", "claude-haiku-4-5", "Translate: the tide is out."],
  ["Claude Code", "claude-cli/2.1.329 (external, cli)", CODER, "Rename the field in all callers."],
  ["Codex", "codex_cli_rs/0.169.0", "gpt-5.4-mini", "Explain this regular expression."],
] as const;
const callsOfDay = [9, 16, 12, 21, 7, 5, 14];

const pictures = [
  "A lighthouse at dusk, gouache, the beam just lit and the sea still bright",
  "Paper cranes over a grey harbour",
  "A narrow street in the rain, neon on wet stone, seen from a low window",
  "Still life with three pears and a blue jug",
  "Isometric cutaway of a watchmaker's bench",
  "A heron over the marsh, woodcut in two colours",
];
const texts = ["Your tea is ready on the terrace.", "Der Zug nach Lindau fährt heute von Gleis vier."];
const videos = [
  ["beta-1.0-t2v", 3, "A paper boat drifts down a gutter after the storm, close to the water"],
  ["alpha2.7-t2v", 5, "Two foxes cross a frozen lake at first light"],
  ["alpha2.6-t2v", 5, "Des théiers après la pluie, la brume monte de la vallée"],
  ["alpha2.6-t2v", 5, "A marching band in a library sandbox:fail"],
  ["alpha2.7-t2v", 10, "A potter's hands centre the clay, one long take"],
] as const;
const RUNNING_VIDEO = "Fog rolls through the pines until only the crowns are left sandbox:slow=600000";

/** The time of the week, which the script moves. Durations are the machine's own. */
export class WeekClock {
  #offset = FIRST_MOMENT - Date.now();
  readonly now = (): number => Date.now() + this.#offset;
  readonly monotonic = (): number => performance.now();
  /** Moves along with the wall clock, as if the machine had slept: no one has set the clock. */
  readonly uptime = (): number => this.now() - FIRST_MOMENT + DAY_MS;
  goTo(moment: number): void {
    this.#offset = Math.max(moment - Date.now(), this.#offset);
  }
}

/** Makes the week. Resolves with the keys' secrets by their names. */
export async function makeWeek(postern: TestGateway, clock: WeekClock): Promise<ReadonlyMap<string, string>> {
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: 25, record_bodies: true });
  await postern.ask("POST", "/connections", {
    provider: "openai-compatible",
    name: "Workstation",
    base_url: `http://127.0.0.1:${WORKSTATION_PORT}/v1`,
    keys: ["workstation-0001", "workstation-0002"],
  });
  for (const [model, input, output] of PRICES) {
    const rates = { input: input * NANO_PER_USD, output: output * NANO_PER_USD };
    await postern.ask("POST", "/models/price", { model, rates });
  }
  await postern.ask("POST", "/models/alias", { name: "fast", model: CODER });
  const secrets = new Map<string, string>();
  for (const key of keys) {
    const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", key);
    secrets.set(key.name, secret);
  }
  const ask = async (index: number, more: object = {}): Promise<void> => {
    const [key, agent, model, content] = calls[index % calls.length] ?? calls[0];
    const body = { model, messages: [{ role: "user", content }], stream: index % 3 !== 1, ...more };
    const response = await postern.chat(body, secrets.get(key) ?? "", {
      headers: { authorization: `Bearer ${secrets.get(key) ?? ""}`, "user-agent": agent },
    });
    await response.text();
  };
  for (const [day, count] of callsOfDay.entries()) {
    if (day === callsOfDay.length - 1) await makeMedia(postern, clock, secrets.get("Notebook") ?? "");
    for (let call = 0; call < count; call += 1) {
      const working = (call / count) * 7 * 3_600_000;
      clock.goTo(FIRST_MOMENT + day * DAY_MS + working);
      const content = [{ role: "user", content: "Review this function: sandbox:error=429" }];
      await ask(call + day, call === 5 ? { model: "gpt-5.4-mini", messages: content } : {});
    }
  }
  clock.goTo(LAST_MOMENT);
  await useOllama(postern);
  const { data } = await postern.ask<{ data: { id: string }[] }>("GET", "/connections");
  for (const { id } of data) await postern.ask("POST", `/connections/${id}/test`);
  return secrets;
}

/** Begins what still runs at the last moment: a video and a request. Resolves with what ends the request. */
export async function beginRunning(url: string, secrets: ReadonlyMap<string, string>): Promise<() => void> {
  const post = (path: string, key: string, agent: string, body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secrets.get(key) ?? ""}`,
        "content-type": "application/json",
        "user-agent": agent,
      },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });
  const video = { model: "beta-1.0-t2v", duration: 5, resolution: "720p", input: { prompt: RUNNING_VIDEO } };
  await (await post("/videos/generations", "Notebook", "OpenAI/JS 7.55.0", video)).text();
  const running = new AbortController();
  const messages = [{ role: "user", content: "Count slowly sandbox:slow=600000" }];
  const slow = { model: "gpt-5.4-mini", messages, stream: true };
  const ended = post("/chat/completions", "Codex", "codex_cli_rs/0.169.0", slow, running.signal);
  // A response that no one reads is broken off when it is collected.
  void ended.then((response) => response.text()).catch(() => undefined);
  return () => running.abort();
}

async function useOllama(postern: TestGateway): Promise<void> {
  let found: { id: string; name: string }[] = [];
  await until(async () => {
    found = (await postern.ask<{ data: typeof found }>("GET", "/local-servers")).data;
    return found.length === 2;
  }, 90_000);
  const ollama = found.find(({ name }) => name === "Ollama");
  await postern.ask("POST", `/local-servers/${encodeURIComponent(ollama?.id ?? "")}/use`, {});
}

async function makeMedia(postern: TestGateway, clock: WeekClock, key: string): Promise<void> {
  clock.goTo(FIRST_MOMENT + 6 * DAY_MS);
  const post = async (path: string, body: object): Promise<Response> => {
    const response = await postern.post(path, body, key, { "user-agent": "OpenAI/JS 7.55.0" });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  for (const prompt of pictures) await (await post("/images/generations", { model: "gpt-image-1", prompt })).text();
  for (const input of texts) {
    await (await post("/audio/speech", { model: "tts-1", input, voice: "alloy" })).arrayBuffer();
  }
  for (const [model, duration, prompt] of videos) {
    await (await post("/videos/generations", { model, duration, resolution: "720p", input: { prompt } })).text();
  }
  await until(async () => {
    const { data } = await postern.ask<{ data: { status: string }[] }>("GET", "/tasks?limit=50");
    return data.filter(({ status }) => status === "succeeded" || status === "failed").length === videos.length;
  }, 120_000);
}
