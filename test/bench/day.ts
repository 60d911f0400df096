import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, get, request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { writeStream } from "./guard/workloads.ts";
import { gatewayMemory, inspectorOf } from "./pages/gateway-memory.ts";
import { adopt, residentBytes } from "./peers/processes.ts";
import { startCommand } from "./start-command.ts";

/**
 * A day of use in fast motion, by hand: `npm run build && npx node test/bench/day.ts [calls, 400000 unless told]`.
 * A gateway as `npm start -- --headless` starts it gets the calls of a day, mixed, as fast as it answers, while two
 * event streams of pages are open and their queries run. Memory is looked at after each of the day's 24 hours, after a
 * collection. Fails when the day ends with over a tenth more than its first hour did, or when anything is answered
 * otherwise than it should be.
 */
const CALLS = Number(process.argv[2] ?? 400_000);
const HOURS = 24;
const GROWTH = 1.1;
const CONNECTIONS = 16;
const PAGES = 2;
/** Between two rounds of a page's queries: they are open all day, and a day lasts minutes here. */
const QUERIES_EVERY_MS = 1_000;
const MIB = 2 ** 20;

const PROMPT = "The quick brown fox jumps over the lazy dog. ".repeat(16);
const KEYS = Array.from({ length: 8 }, (_, index) => ({
  key: `sk-test-of-the-day-number-${index}`,
  name: `key ${index}`,
  ...(index % 2 === 0 ? { limit_usd: 1_000_000 } : {}),
}));
const MODELS = ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1"];
const QUERIES = [
  "state",
  "keys",
  "connections",
  "models",
  "requests?limit=50",
  "requests?limit=50&endpoint=messages",
  "running-requests",
  "usage?by=model",
  "usage/series?range=24h",
  "settings",
];

/** One kind of call: what is sent and how it must end. `leaves`: the client goes after the first bytes. */
interface Kind {
  readonly share: number;
  readonly path: string;
  readonly body: (model: string, index: number) => object;
  readonly status: number;
  readonly key?: string;
  readonly leaves?: true;
}

const messages = (content = PROMPT): object[] => [{ role: "user", content }];
const chat = (model: string): object => ({ model, messages: messages() });
const KINDS: readonly Kind[] = [
  { share: 40, path: "/v1/chat/completions", status: 200, body: chat },
  { share: 20, path: "/v1/chat/completions", status: 200, body: (model) => ({ ...chat(model), stream: true }) },
  { share: 8, path: "/v1/messages", status: 200, body: (model) => ({ ...chat(model), max_tokens: 500, stream: true }) },
  { share: 6, path: "/v1/messages", status: 200, body: (model) => ({ ...chat(model), max_tokens: 500 }) },
  { share: 6, path: "/v1/responses", status: 200, body: (model) => ({ model, input: PROMPT }) },
  {
    share: 4,
    path: "/v1/chat/completions",
    status: 200,
    leaves: true,
    body: (model) => ({ ...chat(model), stream: true }),
  },
  { share: 4, path: "/v1/chat/completions", status: 400, body: (model) => ({ model, messages: messages("refuse") }) },
  { share: 4, path: "/v1/chat/completions", status: 404, body: (_, index) => chat(`no-model-${index}`) },
  { share: 4, path: "/v1/chat/completions", status: 400, body: (model) => ({ model, messages: "none" }) },
  { share: 4, path: "/v1/chat/completions", status: 401, key: "sk-test-that-nobody-knows", body: chat },
];
/** The kinds in an order that mixes them, each as often as its share. */
const ORDER = KINDS.flatMap((kind) =>
  Array.from({ length: kind.share }, (_, index) => ({ kind, at: (index + 0.5) / kind.share })),
)
  .toSorted((one, other) => one.at - other.at)
  .map(({ kind }) => kind);

const usage = { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 };
const head = { id: "chatcmpl-mock", created: 1_700_000_000, model: "gpt-4o-mini-2024-07-18" };
const chunk = (choices: object[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`;
const WHOLE = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: PROMPT }, finish_reason: "stop" }],
  usage,
});
const RESPONSE = JSON.stringify({
  id: "resp_mock",
  object: "response",
  created_at: 1_700_000_000,
  status: "completed",
  model: head.model,
  output: [{ type: "message", id: "msg_mock", role: "assistant", content: [{ type: "output_text", text: PROMPT }] }],
  usage: { input_tokens: 100, output_tokens: 40, total_tokens: 140 },
});
const LIST = JSON.stringify({ data: MODELS.map((id) => ({ id, object: "model" })) });
const STREAM = [
  ...Array.from({ length: 40 }, (_, index) => chunk([{ index: 0, delta: { content: `word ${index} ` } }])),
  `${chunk([{ index: 0, delta: {}, finish_reason: "stop" }])}${chunk([], { usage })}data: [DONE]\n\n`,
];
const REFUSAL = JSON.stringify({ error: { message: "no", type: "invalid_request_error", code: "invalid_value" } });

/** Answers as its prompt asks: whole, as a stream, or with a refusal. */
const provider = createServer((asked, response) => {
  const parts: Buffer[] = [];
  asked.on("data", (part: Buffer) => parts.push(part));
  asked.on("end", () => {
    const body = Buffer.concat(parts).toString("latin1");
    const json = { "content-type": "application/json" };
    const whole = asked.method === "GET" ? LIST : asked.url === "/v1/responses" ? RESPONSE : WHOLE;
    if (body.includes('"refuse"')) return void response.writeHead(400, json).end(REFUSAL);
    if (!body.includes('"stream":true')) return void response.writeHead(200, json).end(whole);
    writeStream(response, STREAM);
  });
});
provider.keepAliveTimeout = 60_000;
provider.listen(0, "127.0.0.1");
await once(provider, "listening");

const folder = mkdtempSync(join(tmpdir(), "postern-day-"));
const { PATH = "", HOME = "" } = process.env;
const [node = "", ...options] = startCommand(join(import.meta.dirname, "../.."), "--inspect=127.0.0.1:0");
const child = spawn(node, [...options, "--headless", "--json", "--port", "0", "--data-dir", folder], {
  env: {
    PATH,
    HOME,
    POSTERN_KEYS: JSON.stringify(KEYS),
    POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-upstream",
  },
  stdio: ["ignore", "pipe", "pipe"],
});
adopt(child);
const pid = child.pid ?? 0;
const exited = once(child, "exit");
const inspector = inspectorOf(child.stderr);
const [line] = (await once(createInterface(child.stdout), "line")) as [string];
const { url, ui } = JSON.parse(line) as { url: string; ui: string };
const { port } = new URL(url);

const faults: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS + PAGES });

/** @returns the status; null when the client left. */
function call({ path, body, leaves, ...kind }: Kind, index: number): Promise<number | null> {
  const text = JSON.stringify(body(MODELS[index % MODELS.length] ?? "", index));
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    authorization: `Bearer ${kind.key ?? KEYS[index % KEYS.length]?.key}`,
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method: "POST", path, agent, headers }, (response) => {
      response.on("error", () => resolve(null)).on("end", () => resolve(response.statusCode ?? 0));
      if (leaves === true) response.once("data", () => asked.destroy());
      else response.resume();
    });
    asked.on("error", (error) => (leaves === true ? resolve(null) : reject(error))).end(text);
  });
}

async function makeCalls(from: number, to: number): Promise<void> {
  let next = from;
  const one = async (): Promise<void> => {
    while (next < to) {
      const index = next++;
      const kind = ORDER[index % ORDER.length];
      if (kind === undefined) throw new Error("no kinds of calls");
      const status = await call(kind, index);
      if (status !== null && status !== kind.status)
        faults.push(`call ${index} to ${kind.path}: ${status} instead of ${kind.status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

/** A page: its event stream, which is read, and its queries again and again. @returns ends it. */
async function openPage(bearer: string): Promise<() => Promise<void>> {
  const headers = { authorization: `Bearer ${bearer}` };
  const events = get(`${url}/control/events`, { headers });
  const [stream] = (await once(events, "response")) as [IncomingMessage];
  if (stream.statusCode !== 200) faults.push(`the event stream: ${stream.statusCode}`);
  stream.resume().on("error", () => undefined);
  const ending = new AbortController();
  const asking = (async (): Promise<void> => {
    while (!ending.signal.aborted) {
      for (const query of QUERIES) {
        const response = await fetch(`${url}/control/${query}`, { headers });
        await response.arrayBuffer();
        if (response.status !== 200) faults.push(`/control/${query}: ${response.status}`);
      }
      await new Promise((resolve) => setTimeout(resolve, QUERIES_EVERY_MS));
    }
  })();
  return async () => {
    ending.abort();
    await asking;
    events.destroy();
  };
}

interface Sample {
  readonly residentMiB: number;
  readonly keptMiB: number;
}

/** Both after a collection: what the collector would take is nobody's memory. */
async function look(): Promise<Sample> {
  const { heapMb, externalMb } = await gatewayMemory(await inspector);
  return { residentMiB: residentBytes(pid) / MIB, keptMiB: ((heapMb + externalMb) * 1e6) / MIB };
}

const opened = await fetch(`${url}/control/session`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ token: new URLSearchParams(new URL(ui).hash.slice(1)).get("token") }),
});
const { bearer } = (await opened.json()) as { bearer: string };
const pages = await Promise.all(Array.from({ length: PAGES }, () => openPage(bearer)));

const samples: Sample[] = [];
const began = performance.now();
console.log("| hour | calls | kept after a collection, MiB | resident, MiB |\n|---:|---:|---:|---:|");
for (let hour = 1; hour <= HOURS && faults.length === 0; hour += 1) {
  const done = Math.round((CALLS * hour) / HOURS);
  await makeCalls(Math.round((CALLS * (hour - 1)) / HOURS), done);
  const sample = await look();
  samples.push(sample);
  console.log(`| ${hour} | ${done} | ${sample.keptMiB.toFixed(1)} | ${sample.residentMiB.toFixed(1)} |`);
}
const seconds = (performance.now() - began) / 1_000;
await Promise.all(pages.map((close) => close()));
agent.destroy();
child.kill("SIGTERM");
await exited;
provider.close();
provider.closeAllConnections();
rmSync(folder, { recursive: true, force: true });

const [first] = samples;
const last = samples.at(-1);
const kept = (last?.keptMiB ?? 0) / (first?.keptMiB ?? 0);
const resident = (last?.residentMiB ?? 0) / (first?.residentMiB ?? 0);
console.log(
  `\n${CALLS} calls in ${seconds.toFixed(0)} s; of the first hour's: kept ${kept.toFixed(2)}, resident ${resident.toFixed(2)}`,
);
for (const fault of faults.slice(0, 20)) console.error(fault);
if (faults.length > 0 || !(kept <= GROWTH && resident <= GROWTH)) {
  console.error("The day does not end as its first hour did.");
  process.exitCode = 1;
}
