import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FieldRules, checkReach } from "../../../../gateway/core/keys/key-reach.ts";
import { reachRules } from "../../../../gateway/providers/reach-rules.ts";
import { providers } from "../../../../gateway/providers/registry.ts";
import { needs } from "../../../support/needs.ts";
import { ENDPOINTS } from "../../../support/paid-endpoints.ts";
import { KEY, errorOf, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const NARROW = "sk-test-narrow-key-000000001";
const wire = useWire();
const postern = useGateway(() => ({
  env: { ...providersAt({ OPENAI: `${wire.origin}/openai/v1`, ANTHROPIC: `${wire.origin}/anthropic` }) },
  keys: [{ key: NARROW, name: "narrow", models: ["*mini*"], limit_usd: 5 }],
}));

const bodies = [
  ...Object.entries(ENDPOINTS),
  ["videos", { path: "/videos/generations", body: { model: "sora-2", prompt: "A fox" } }] as const,
  ["moderations", { path: "/moderations", body: { input: "a" } }] as const,
];
const folded = [
  "Model",
  "MODEL",
  "mo\u0064El",
  "\u017Ftream",
  "\u017Ftore",
  "\u212Anown_speaker_names",
  "Route",
  "Max_Tokens",
];

it.each(bodies)("refuses a field that differs from a known one in case alone: %s", async (_name, { path, body }) => {
  for (const field of folded) {
    const sent = typeof body === "function" ? body() : { ...body, [field]: "dear" };
    if (sent instanceof FormData) sent.append(field, "dear");
    const refused = await postern.post(path, sent, KEY);
    expect(refused.status).toBe(400);
    const error = path === "/messages" ? ((await refused.json()) as { error: object }).error : await errorOf(refused);
    expect(error).toMatchObject({ message: expect.stringContaining(`'${field}'`) as unknown });
  }
  expect(wire.seen).toHaveLength(0);
});

it("lets other names with capitals pass", async () => {
  const body = { model: "gpt-4.1", messages: [], topK: 1, chatTemplate: "x", ünlü: 1 };
  expect((await errorOf(await postern.post("/chat/completions", body))).param).toBe("messages");
});

describe("rules of what a key reaches", () => {
  const key = { name: "k", models: ["a"], limit_nano: null };
  const check = (rules: FieldRules, body: object) => checkReach(key, rules, body as never, () => false);

  it("refuse names in other letters at their paths too", () => {
    const rules = new FieldRules({ model: ["tools[].model"], stored_object: ["messages[].content[].file_id"] });
    for (const body of [{ tools: [{ Model: "b" }] }, { messages: [{ Content: [{ file_id: "f" }] }] }])
      expect(() => check(rules, body)).toThrow(/Unknown parameter: '(Model|Content)'/);
  });

  it.each([
    ["openai", "https://openrouter.ai", "chat", { plugins: [{ id: "web" }] }],
    ["openai", "https://api.x.ai", "chat", { search_parameters: { mode: "on" } }],
    ["openai", "https://relay.example", "chat", { models: ["dear"] }],
    ["openai-compatible", "https://api.anthropic.com", "messages", { container: "c" }],
    ["openai-compatible", "https://api.openai.com", "responses", { conversation: "conv_1" }],
    ["mistral", "https://dashscope-intl.aliyuncs.com", "chat", { enable_search: true }],
    ["openai", "https://openrouter.ai", "images", { provider: { only: ["x"] } }],
  ] as const)("of %s at %s follow the host: %s", (id, origin, kind, body) =>
    expect(() => check(reachRules(providers[id], origin, kind), body)).toThrow(/may not use/),
  );

  it("are the adapter's alone at its own host", () => {
    expect(check(reachRules(providers.openai, "https://api.openai.com", "chat"), { plugins: ["web"] })).toBe(false);
  });
});

const GO = [spawnSync("go", ["version"]).status === 0 ? "go" : "", "/usr/local/go/bin/go"].find(
  (go) => go !== "" && spawnSync(go, ["version"]).status === 0,
);

/** Without net/http, which takes most of a minute to compile. */
const SERVER = `package main
import ("bufio"; "encoding/json"; "fmt"; "io"; "net"; "strconv"; "strings")
type request struct { Model string \`json:"model"\`; MaxTokens int \`json:"max_tokens"\`; Store bool \`json:"store"\` }
func main() {
  listener, _ := net.Listen("tcp", "127.0.0.1:0")
  fmt.Println("http://" + listener.Addr().String())
  for { connection, err := listener.Accept(); if err != nil { return }; go serve(connection) }
}
func serve(connection net.Conn) {
  defer connection.Close()
  reader := bufio.NewReader(connection)
  length := 0
  for {
    line, err := reader.ReadString('\\n')
    if err != nil { return }
    line = strings.TrimSpace(line)
    if line == "" { break }
    if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "content-length") { length, _ = strconv.Atoi(strings.TrimSpace(value)) }
  }
  body := make([]byte, length)
  io.ReadFull(reader, body)
  var asked request
  json.Unmarshal(body, &asked)
  said, _ := json.Marshal(fmt.Sprintf("%s %d %v", asked.Model, asked.MaxTokens, asked.Store))
  text := fmt.Sprintf(\`{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}]}\`, said)
  fmt.Fprintf(connection, "HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\nconnection: close\\r\\ncontent-length: %d\\r\\n\\r\\n%s", len(text), text)
}
`;

describe.skipIf(GO === undefined)("a real server in Go", needs(GO === undefined ? "Go" : null), () => {
  let server: ChildProcess;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "postern-go-"));
    writeFileSync(join(folder, "main.go"), SERVER);
    const env = {
      ...process.env,
      GOCACHE: join(folder, "cache"),
      GOFLAGS: "-mod=mod",
      GO111MODULE: "off",
      HOME: folder,
    };
    execFileSync(GO ?? "", ["build", "-o", "server", "main.go"], { cwd: folder, env });
    server = spawn(join(folder, "server"), { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), "line")) as [string];
    await postern.ask("POST", "/connections", {
      provider: "openai-compatible",
      name: "go",
      base_url: `${line}/v1`,
      models: [{ id: "cheap" }, { id: "dear" }],
    });
  }, 120_000);
  afterAll(() => void server.kill());

  it("never serves a model that the key may not use", async () => {
    const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", {
      name: "cheap alone",
      models: ["cheap"],
      limit_usd: 5,
    });
    const body = { model: "cheap", messages: [{ role: "user", content: "a" }] };
    for (const more of [
      '"Model":"dear"',
      '"MODEL":"dear"',
      '"\u006dodel":"dear"',
      '"\\u006dodel":"dear"',
      '"\\u004dodel":"dear"',
      '"max_to\u212Aens":64000',
      '"\u017Ftore":true',
      '"Store":true',
    ]) {
      const text = `${JSON.stringify(body).slice(0, -1)},${more}}`;
      const response = await postern.chat(text, secret);
      const message = await response.text();
      expect(message, more).not.toMatch(/dear (?!.*model_not_allowed)\d|64000|true/);
      if (response.ok)
        expect(JSON.parse(message)).toMatchObject({
          choices: [{ message: { content: expect.stringMatching(/^cheap/) as unknown } }],
        });
    }
    const plain = await postern.chat(JSON.stringify(body), secret);
    expect(await plain.json()).toMatchObject({
      choices: [{ message: { content: expect.stringMatching(/^cheap/) as unknown } }],
    });
  });
});
