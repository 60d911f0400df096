import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { KEY, MIB, Provider, chatLatency, dial, measured, post, start, whole } from "./hostile-run.ts";
import type { Run } from "./hostile-run.ts";

/**
 * What a hostile client costs: the memory of a gateway as `npm start` runs it, before, at the worst and afterwards, and
 * how long another client waits meanwhile. By hand, on a built folder:
 * `node test/bench/hostile.ts [FOLDER, this one unless told] [scenario…]`. Everything stays on 127.0.0.1.
 */
const SCENARIOS: Readonly<Record<string, (run: Run) => Promise<void>>> = {
  refused: (run) => refused(run, 40),
  "gzip-10": (run) => unpacked(run, 10, gzipSync(chatBody("a"))),
  "gzip-30": (run) => unpacked(run, 30, gzipSync(chatBody("a"))),
  "gzip-300": (run) => unpacked(run, 300, gzipSync(chatBody("a"))),
  "gzip-300-wide": (run) => unpacked(run, 300, gzipSync(chatBody("a", "語"))),
  "gzip-300-messages": (run) => unpacked(run, 300, gzipSync(chatBody("a")), "gzip", "/v1/messages"),
  "brotli-300": (run) => unpacked(run, 300, brotliCompressSync(chatBody("a")), "br"),
  "zstd-300": (run) => unpacked(run, 300, zstdCompressSync(chatBody("a")), "zstd"),
  "objects-300": (run) => unpacked(run, 300, gzipSync(extraBody("{},", 400_000))),
  "numbers-300": (run) => unpacked(run, 300, gzipSync(extraBody("1,", 15_000_000))),
  "small-objects-300": (run) => unpacked(run, 300, gzipSync(extraBody("{},", 80_000))),
  "plain-300": (run) => unpacked(run, 300, chatBody("a", "", 4 * MIB), null),
  "forms-300": (run) => forms(run, 300, 60 * MIB),
  responses: (run) => responses(run, 8),
  stalled: (run) => stalled(run, 50),
  "stalled-messages": (run) => stalled(run, 50, "/v1/messages"),
  "stalled-large": (run) => stalled(run, 50, "/v1/chat/completions", "word ".repeat(10_000)),
  sockets: (run) => sockets(run, 2_000),
};

function chatBody(letter: string, also = "", size = 30 * MIB): Buffer {
  const content = letter.repeat(size) + also;
  return Buffer.from(JSON.stringify({ model: "gpt-4o-mini", max_tokens: 5, messages: [{ role: "user", content }] }));
}

function extraBody(piece: string, count: number): Buffer {
  const messages = '[{"role":"user","content":"Hello."}]';
  return Buffer.from(`{"model":"gpt-4o-mini","messages":${messages},"extra":[${piece.repeat(count)}0]}`);
}

const statusOf = (text: string): string => /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? "none";

function tally(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(", ");
}

async function refused(run: Run, count: number): Promise<void> {
  const head = post(run.port, "/v1/chat/completions", { "content-type": "application/json", "content-length": 1e9 });
  const open = new Set<Socket>();
  const dribble = Array.from({ length: count }, () => {
    const socket = dial(run.port, [head]);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    return socket;
  });
  const timer = setInterval(() => dribble.forEach((socket) => socket.writable && socket.write("x")), 1_000);
  for (const seconds of [1, 2, 5, 10]) {
    await sleep(seconds * 1_000);
    console.log(`  ${open.size} of ${count} refused connections open ${seconds} s later`);
  }
  clearInterval(timer);
  for (const socket of open) socket.destroy();
}

async function unpacked(
  run: Run,
  count: number,
  body: Buffer,
  coding: string | null = "gzip",
  path = "/v1/chat/completions",
): Promise<void> {
  console.log(`  ${count} bodies of ${body.length} bytes${coding === null ? "" : `, packed with ${coding}`}`);
  const waiting: ServerResponse[] = [];
  run.provider.act = (url, asked, outgoing) => {
    if (asked.includes('"Hello."') && asked.length < 500) whole(url, asked, outgoing);
    else waiting.push(outgoing);
  };
  const heard: string[] = Array.from({ length: count }, () => "");
  const open: Socket[] = [];
  await measured(
    run,
    async () => {
      const head = post(run.port, path, {
        authorization: `Bearer ${KEY}`,
        "content-type": "application/json",
        "content-length": body.length,
        ...(coding === null ? {} : { "content-encoding": coding }),
      });
      for (let index = 0; index < count; index += 1) {
        open.push(dial(run.port, [head, body], (text) => (heard[index] += text)));
      }
      await sleep(12_000);
      console.log(`  answers: ${tally(heard.map(statusOf))}; ${waiting.length} at the provider`);
      console.log(`  meanwhile a call takes ${await chatLatency(run, 5)}`);
    },
    () => open.forEach((socket) => socket.destroy()),
  );
}

async function forms(run: Run, count: number, size: number): Promise<void> {
  run.provider.act = (url, asked, outgoing) => {
    if (url.endsWith("/chat/completions")) whole(url, asked, outgoing);
  };
  const boundary = "----x";
  const start = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\ngpt-image-1\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nmore\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
  );
  const picture = Buffer.alloc(size, 1);
  Buffer.from("89504e470d0a1a0a0000000d4948445200000400000004000806000000", "hex").copy(picture);
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const heard: string[] = Array.from({ length: count }, () => "");
  const open: Socket[] = [];
  await measured(
    run,
    async () => {
      const head = post(run.port, "/v1/images/edits", {
        authorization: `Bearer ${KEY}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "content-length": start.length + picture.length + end.length,
      });
      for (let index = 0; index < count; index += 1) {
        open.push(dial(run.port, [head, start, picture, end], (text) => (heard[index] += text)));
      }
      await sleep(12_000);
      console.log(`  answers: ${tally(heard.map(statusOf))}`);
      console.log(`  meanwhile a call takes ${await chatLatency(run, 5)}`);
    },
    () => open.forEach((socket) => socket.destroy()),
  );
}

async function responses(run: Run, count: number): Promise<void> {
  const piece = Buffer.alloc(MIB, "1,");
  run.provider.act = (url, asked, outgoing) => {
    if (!url.endsWith("/embeddings")) return whole(url, asked, outgoing);
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.write('{"object":"list","data":[{"object":"embedding","index":0,"embedding":[');
    let left = 192;
    const more = (): void => {
      while (left-- > 0) if (!outgoing.write(piece)) return void outgoing.once("drain", more);
      outgoing.end('1]}],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}');
    };
    more();
  };
  await measured(
    run,
    async () => {
      const said = await Promise.all(
        Array.from({ length: count }, async () => {
          const response = await fetch(`http://127.0.0.1:${run.port}/v1/embeddings`, {
            method: "POST",
            body: JSON.stringify({ model: "text-embedding-3-small", input: "one" }),
            headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
          });
          const text = await response.text();
          return `${response.status} ${response.status === 200 ? `${text.length} bytes` : text.slice(0, 200)}`;
        }),
      );
      console.log(`  answers: ${tally(said)}`);
    },
    () => {},
  );
}

async function stalled(run: Run, count: number, path = "/v1/chat/completions", content = "word "): Promise<void> {
  const choices = [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }];
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-4o-mini", choices };
  const frames = Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`.repeat(100));
  run.provider.act = (url, asked, outgoing) => {
    if (!asked.includes('"stream":true')) return whole(url, asked, outgoing);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    const more = (): void => {
      while (!outgoing.destroyed) if (!outgoing.write(frames)) return void outgoing.once("drain", more);
    };
    more();
  };
  const open: Socket[] = [];
  await measured(
    run,
    async () => {
      const body = JSON.stringify({
        model: "gpt-4o-mini",
        stream: true,
        max_tokens: 1_000_000,
        messages: [{ role: "user", content: "Hello." }],
      });
      const head = post(run.port, path, {
        authorization: `Bearer ${KEY}`,
        "content-type": "application/json",
        "content-length": body.length,
      });
      for (let index = 0; index < count; index += 1) {
        const socket = connect(run.port, "127.0.0.1");
        socket.on("error", () => {});
        socket.pause();
        socket.write(head + body);
        open.push(socket);
      }
      await sleep(15_000);
      console.log(`  meanwhile a call takes ${await chatLatency(run, 5)}`);
    },
    () => open.forEach((socket) => socket.destroy()),
  );
}

async function sockets(run: Run, count: number): Promise<void> {
  run.provider.act = whole;
  const { port } = run;
  const json = { "content-type": "application/json", authorization: `Bearer ${KEY}` };
  const kinds: Readonly<Record<string, readonly string[]>> = {
    idle: [],
    "half a head": ["POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: "],
    "half a body": [`${post(port, "/v1/chat/completions", { ...json, "content-length": 30 * MIB })}{"model":`],
    "half a body without a key": [post(port, "/v1/chat/completions", { "content-length": 1e9 }), "{"],
    "unread responses": [`GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`.repeat(20)],
  };
  for (const [kind, bytes] of Object.entries(kinds)) {
    const open = new Set<Socket>();
    let over = false;
    const again = (): void => {
      const socket = connect(port, "127.0.0.1");
      open.add(socket);
      socket.on("error", () => {});
      if (kind === "unread responses") socket.pause();
      else socket.resume();
      for (const piece of bytes) socket.write(piece);
      socket.on("close", () => {
        open.delete(socket);
        // Somebody who wants to do harm comes back.
        if (!over) setTimeout(again, 100);
      });
    };
    console.log(`  ${kind}:`);
    await measured(
      run,
      async () => {
        for (let index = 0; index < count; index += 1) again();
        await sleep(5_000);
        console.log(`  with ${open.size} sockets open, a call takes ${await chatLatency(run, 50)}`);
      },
      () => {
        over = true;
        for (const socket of open) socket.destroy();
      },
      [2],
    );
  }
}

const [first = ""] = process.argv.slice(2);
const known = Object.hasOwn(SCENARIOS, first);
const folder = known || first === "" ? join(import.meta.dirname, "../..") : first;
const asked = process.argv.slice(known || first === "" ? 2 : 3);
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const provider = new Provider();
  await provider.listen();
  const dataDir = mkdtempSync(join(tmpdir(), "postern-hostile-"));
  const child = await start(folder, provider.port, dataDir);
  const run = { port: child.port, pid: child.pid ?? 0, provider };
  console.log(`${name}:`);
  await chatLatency(run, 20);
  await scenario(run);
  if (child.exitCode !== null) console.log(`  IT ENDED with ${child.exitCode}`);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  provider.close();
  rmSync(dataDir, { recursive: true, force: true });
}
