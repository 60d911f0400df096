import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";

export interface Asset {
  readonly body: Buffer;
  /** Content type. */
  readonly type: string;
  /** Strong, quoted. */
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Reads the built pages into memory, by their paths in the folder with `/` between (`index.html`, `assets/a.js`). They
 * are small and looked up by exact name, so no request becomes a disk path. Reading synchronously: some 60 asynchronous
 * reads take three times as long.
 * @param command the command that opens the pages, shown on the page without a session
 * @throws the system's error if the folder does not exist
 */
export function readAssets(dir: string, command: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  // The builder's own files next to them have names that start with a dot.
  const read = (folder: string, below: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      // Concatenated manually: a hundred `join` calls would load V8's optimizing compiler permanently.
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) read(path, `${below}${entry.name}/`);
      if (!entry.isFile()) continue;
      const body =
        below + entry.name === "index.html" ? withCommand(readFileSync(path, "utf8"), command) : readFileSync(path);
      const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
      const type = TYPES[extname(entry.name).toLowerCase()] ?? "application/octet-stream";
      assets.set(below + entry.name, { body, type, etag: `"${digest}"` });
    }
  };
  read(dir, "");
  return assets;
}

function withCommand(html: string, command: string): Buffer {
  const content = command.replace(/[&"<]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  return Buffer.from(html.replace("</title>", () => `</title><meta name="postern-command" content="${content}">`));
}
