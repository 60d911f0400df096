import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A place of releases on loopback, which behaves as a test says. */
export interface UpdateFeed {
  readonly url: string;
  /** What is offered: a version and the file of it. */
  offer(version: string, image: string): void;
  /** Whether the checksum that stands in the list is that of the file. */
  tellsTruth: boolean;
  /** Whether the connection breaks in the middle of the file. */
  breaks: boolean;
  /** What was asked for, without queries. */
  readonly seen: readonly string[];
  /** No one listens any more. */
  close(): Promise<void>;
}

/** The name of the list, by electron-updater's convention. */
/** What an offered version has, and the one before has not. */
export const NEW_BYTES = "bytes of the new version ";

const LIST = process.arch === "arm64" ? "/latest-linux-arm64.yml" : "/latest-linux.yml";

export async function startFeed(): Promise<UpdateFeed> {
  let list = "";
  let file = Buffer.alloc(0);
  let name = "";
  const seen: string[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?");
    seen.push(path);
    if (path === LIST) outgoing.end(list);
    else if (path !== `/${name}`) outgoing.writeHead(404).end();
    else if (feed.breaks) {
      outgoing.writeHead(200, { "content-length": file.length });
      outgoing.write(file.subarray(0, file.length / 2), () => outgoing.destroy());
    } else outgoing.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const feed: UpdateFeed = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tellsTruth: true,
    breaks: false,
    seen,
    offer(version, image) {
      // Long enough for its middle to be somewhere.
      file = Buffer.from(`${image}# ${NEW_BYTES.repeat(40_000)}\n`);
      name = `Postern-${version}-linux.AppImage`;
      const digest = createHash("sha512")
        .update(feed.tellsTruth ? file : "another")
        .digest("base64");
      const entry = [`  - url: ${name}`, `    sha512: ${digest}`, `    size: ${file.length}`];
      const rest = [`path: ${name}`, `sha512: ${digest}`, "releaseDate: '2026-11-23T00:00:00.000Z'", ""];
      list = [`version: ${version}`, "files:", ...entry, ...rest].join("\n");
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return feed;
}
